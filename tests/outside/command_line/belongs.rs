//! Tokens and `allow_http` belong to one base URL: the profile's, or another one.

use super::{ADD, RESPONSE, header};
use crate::support::Home;
use crate::support::raw::RawStore;

const OF_PROFILE: &str = "sesame-of-the-profile";

/// Two stores, and a profile `b` with a token for the first.
fn two_stores() -> (Home, RawStore, RawStore) {
    let (home, [own, other]) = (Home::new(), [(); 2].map(|()| RawStore::saying("201 Created", RESPONSE)));
    home.write("token", OF_PROFILE);
    home.config(format!("[profile.b]\nbase_url = '{}'\ntoken_file = '~/token'\n", own.url()));
    (home, own, other)
}

#[test]
fn a_profiles_token_is_not_sent_to_another_base_url() {
    let (home, own, other) = two_stores();
    let base_url = other.url();
    let by_flags = [&ADD[..], &["--profile", "b", "--base-url", &base_url]].concat();
    for run in [
        home.plants(&by_flags),
        home.plants(&ADD).env("PLANTS_PROFILE", "b").env("PLANTS_BASE_URL", other.url()),
        home.plants(&[&ADD[..], &["--base-url", &other.url()]].concat()).env("PLANTS_PROFILE", "b"),
    ] {
        let stderr = run.ended().orderly(2).stderr;
        let withheld = format!("no token for {}: the token of profile \"b\" is for {} alone.", other.url(), own.url());
        assert!(stderr.contains(&withheld) && stderr.contains("Nothing was sent."), "{stderr}");
        assert!(stderr.contains("--token-file, --token-stdin, or PLANTS_TOKEN"), "{stderr}");
    }
    assert_eq!(own.arrived_so_far(), [""; 0]);
    assert_eq!(other.arrived_so_far(), [""; 0]);
    // PLANTS_TOKEN goes to the other store, and the profile's token to its own.
    home.plants(&by_flags).env("PLANTS_TOKEN", "sesame-other").ended().orderly(0);
    assert_eq!(header(&other.next_request(), "authorization"), ["Bearer sesame-other"]);
    home.plants(&[&ADD[..], &["--profile", "b"]].concat()).env("PLANTS_TOKEN", "x").ended().orderly(0);
    assert_eq!(header(&own.next_request(), "authorization"), [format!("Bearer {OF_PROFILE}")]);
    assert_eq!(own.received(), [""; 0]);
    assert_eq!(other.received(), [""; 0]);
}

#[test]
fn a_profiles_allow_http_does_not_apply_to_another_base_url() {
    let home = Home::new();
    home.write("token", OF_PROFILE);
    home.config("[profile.b]\nbase_url = 'http://10.255.255.1'\nallow_http = true\ntoken_file = '~/token'\n");
    let elsewhere = "http://10.255.255.2";
    let by_flags = home.plants(&[&ADD[..], &["--profile", "b", "--base-url", elsewhere]].concat());
    let by_variables = home.plants(&ADD).env("PLANTS_PROFILE", "b").env("PLANTS_BASE_URL", elsewhere);
    for run in [by_flags, by_variables] {
        let stderr = run.env("PLANTS_TOKEN", "sesame-other").ended().orderly(2).stderr;
        assert!(stderr.contains("plain http would send the token unencrypted"), "{stderr}");
    }
}
