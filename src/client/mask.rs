//! Keeps secrets out of what came back: stores and proxies echo what they were sent.
//!
//! A secret is found in capitals or not, and spelled as the usual encoders spell it: `\/` and
//! `\u002B` of JSON, `%2B` of URLs. Compressed or in base64 it is not found.

use zeroize::Zeroizing;

use super::token::Token;

/// Shorter secrets turn up in honest answers by chance: a token is then masked only after `Bearer `.
pub(super) const TELLING_LENGTH: usize = 8;

/// What must not be seen of an exchange.
pub(super) struct Secrets<'a> {
    /// The token that is held.
    pub(super) token: &'a Token,
    /// What else was sent in confidence, such as a proxy's password.
    pub(super) others: &'a [Zeroizing<String>],
}

impl Secrets<'_> {
    /// Overwrites them with asterisks wherever they stand. The length stays the same, so that sizes
    /// remain true.
    pub(super) fn mask_in(&self, bytes: &mut [u8]) {
        let token = self.token.reveal().as_bytes();
        mask(bytes, token, |before| token.len() >= TELLING_LENGTH || ends_with_scheme(before));
        for other in self.others {
            mask(bytes, other.as_bytes(), |_| true);
        }
    }

    /// Masks what may be the beginning of one at the end of bytes that were cut off.
    pub(super) fn mask_cut(&self, bytes: &mut [u8]) {
        for secret in self.others.iter().map(|other| other.as_str()).chain([self.token.reveal()]) {
            mask_beginning(bytes, secret.as_bytes());
        }
    }

    /// [`Self::mask_in`] for text.
    pub(super) fn masked(&self, text: String) -> String {
        let mut bytes = text.into_bytes();
        self.mask_in(&mut bytes);
        // ASCII replaces ASCII, so this is as valid as it was.
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn mask(bytes: &mut [u8], secret: &[u8], is_one: impl Fn(&[u8]) -> bool) {
    let mut at = 0;
    while at < bytes.len() {
        let (before, from) = bytes.split_at_mut(at);
        match spelled(secret, from) {
            Spelled::Whole(length) if !secret.is_empty() && is_one(before) => {
                from.iter_mut().take(length).for_each(|byte| *byte = b'*');
                at += length;
            }
            Spelled::Whole(_) | Spelled::Cut(_) | Spelled::Otherwise => at += 1,
        }
    }
}

fn mask_beginning(bytes: &mut [u8], secret: &[u8]) {
    // The longest spelling has six bytes for each of the secret's.
    let first = bytes.len().saturating_sub(secret.len() * 6);
    let cut = (first..bytes.len()).find(|at| {
        let end = bytes.get(*at..).unwrap_or_default();
        matches!(spelled(secret, end), Spelled::Cut(length) if length >= TELLING_LENGTH / 2)
    });
    if let Some(at) = cut {
        bytes.iter_mut().skip(at).for_each(|byte| *byte = b'*');
    }
}

/// Whether bytes begin with a secret.
enum Spelled {
    /// They do, in so many of them.
    Whole(usize),
    /// They end within it, after so many of the secret's.
    Cut(usize),
    Otherwise,
}

fn spelled(secret: &[u8], bytes: &[u8]) -> Spelled {
    let mut rest = bytes;
    for (known, letter) in secret.iter().enumerate() {
        match after(*letter, rest) {
            Some(after) => rest = after,
            None if is_cut(rest) => return Spelled::Cut(known),
            None => return Spelled::Otherwise,
        }
    }
    Spelled::Whole(bytes.len() - rest.len())
}

/// What follows this letter; `None` if it does not stand there, in any spelling.
fn after(letter: u8, bytes: &[u8]) -> Option<&[u8]> {
    let is_code = |digits: &[u8]| {
        let code = str::from_utf8(digits).ok().filter(|_| is_hex(digits));
        let code = code.and_then(|digits| u8::try_from(u32::from_str_radix(digits, 16).ok()?).ok());
        code.is_some_and(|code| code.eq_ignore_ascii_case(&letter))
    };
    match bytes {
        [b'\\', b'u', a, b, c, d, rest @ ..] if is_code(&[*a, *b, *c, *d]) => Some(rest),
        [b'%', a, b, rest @ ..] if is_code(&[*a, *b]) => Some(rest),
        [b'\\', escaped, rest @ ..] if *escaped == letter && letter.is_ascii_punctuation() => Some(rest),
        [first, rest @ ..] if first.eq_ignore_ascii_case(&letter) => Some(rest),
        _ => None,
    }
}

/// Whether nothing is left, or the beginning of another spelling.
fn is_cut(rest: &[u8]) -> bool {
    match rest {
        [] | [b'\\'] => true,
        [b'%', digits @ ..] => digits.len() < 2 && is_hex(digits),
        [b'\\', b'u', digits @ ..] => digits.len() < 4 && is_hex(digits),
        _ => false,
    }
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

fn ends_with_scheme(before: &[u8]) -> bool {
    let ends_with = |scheme: &[u8]| {
        let start = before.len().checked_sub(scheme.len());
        start.and_then(|start| before.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(scheme))
    };
    ends_with(b"bearer ") || ends_with(b"basic ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(token: &str, text: &str) -> String {
        Secrets { token: &Token::new(token).unwrap(), others: &[] }.masked(text.to_owned())
    }

    #[test]
    fn an_echoed_token_is_masked_and_nothing_else() {
        let stars = "*".repeat(26);
        assert_eq!(masked("canary-canary", "é canary-canaryCANARY-canary canary"), format!("é {stars} canary"));
        assert_eq!(masked("1", "1 Bearer 1, bearer 1 é Basic 1"), "1 Bearer *, bearer * é Basic *");
    }

    #[test]
    fn however_it_is_spelled() {
        let token = "CANARY/7f3a+secret==";
        for spelled in [
            "CANARY/7f3a+secret==",
            r"CANARY\/7f3a+secret==",
            r"CANARY/7f3a\u002Bsecret==",
            r"\u0043ANARY\u002f7f3a+secret=\u003d",
            "CANARY%2F7f3a%2bsecret%3D%3D",
            "canary/7F3A+SECRET==",
        ] {
            let stars = "*".repeat(spelled.len());
            assert_eq!(masked(token, &format!("<{spelled}>")), format!("<{stars}>"));
        }
        for other in ["CANARY7f3a+secret==", "CANARY%2G7f3a+secret==", r"CANARY\u012f7f3a+secret=="] {
            assert_eq!(masked(token, other), other);
        }
    }

    #[test]
    fn what_a_proxy_was_told_is_masked_as_well() {
        let others = [Zeroizing::new("pass".to_owned())];
        let secrets = Secrets { token: &Token::new("canary-canary").unwrap(), others: &others };
        assert_eq!(secrets.masked("PASS canary".to_owned()), "**** canary");
    }

    #[test]
    fn a_token_that_is_cut_off_is_masked_as_far_as_it_came() {
        let masked = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            Secrets { token: &Token::new("canary/canary").unwrap(), others: &[] }.mask_cut(&mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(masked("echo Canary/ca"), "echo *********");
        assert_eq!(masked(r"echo canary\u00"), "echo **********");
        assert_eq!(masked("the ca"), "the ca");
        assert_eq!(masked("canary/canary."), "canary/canary.");
    }
}
