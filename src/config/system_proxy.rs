//! Decides whether the proxy of the environment is on the way to a store.
//!
//! It is used for https only: over plain http, it would receive the token in clear. Must not know the proxy of a profile,
//! which has precedence.

use hyper_util::client::proxy::matcher::Matcher;

use super::environment::Environment;
use super::value::{InvalidValue, Proxy};
use crate::domain::StoreUrl;

/// A proxy that could be anything: only whether it is used is of interest.
const ANY: &str = "http://proxy.invalid";

/// Returns the proxy of the environment on the way to the store, with the name of its variable.
pub(super) fn proxy_to<'e>(
    store: &StoreUrl,
    environment: &'e Environment,
) -> Option<&'e (&'static str, Result<Proxy, InvalidValue>)> {
    let excluded = environment.no_proxy.as_deref().unwrap_or_default();
    let is_used = store.is_https() && !store.is_loopback() && !excludes(excluded, store);
    environment.proxy.as_ref().filter(|_| is_used)
}

/// The rules of curl: names with their subdomains, addresses, networks, and `*`.
fn excludes(excluded: &str, store: &StoreUrl) -> bool {
    // The matcher takes `*` for names alone.
    let is_everything = excluded.split(',').any(|part| part.trim() == "*");
    let matcher = Matcher::builder().all(ANY).no(excluded).build();
    let to = store.plants().as_str().parse().ok();
    is_everything || to.is_none_or(|to| matcher.intercept(&to).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proxy_is_used_for_https_to_hosts_that_are_not_excluded() {
        let is_used = |store: &str, no_proxy: Option<&str>| {
            let environment = Environment {
                proxy: Some(("HTTPS_PROXY", "http://proxy".parse())),
                no_proxy: no_proxy.map(str::to_owned),
                ..Environment::default()
            };
            proxy_to(&store.parse().unwrap(), &environment).is_some()
        };
        assert!(is_used("https://plants.example", None));
        assert!(!is_used("http://plants.example", None));
        assert!(!is_used("https://localhost", None) && !is_used("https://[::1]:8443", None));
        for excluded in ["*", "a.example, *", "plants.example", ".example", "example", "x,plants.example"] {
            assert!(!is_used("https://plants.example/api", Some(excluded)), "{excluded}");
        }
        for (address, excluded) in [
            ("10.0.0.9", "*"),
            ("10.0.0.9", "10.0.0.9"),
            ("10.0.0.9", "10.0.0.0/8"),
            ("[2001:db8::9]", "*"),
            ("[2001:db8::9]", "2001:db8::/32"),
        ] {
            assert!(!is_used(&format!("https://{address}"), Some(excluded)), "{address} {excluded}");
        }
        for other in ["", "ants.example", "*.example", "10.0.0.0/8"] {
            assert!(is_used("https://plants.example", Some(other)), "{other}");
        }
    }
}
