//! The extra certificate authority of a connection: read once, bounded, and parsed here so
//! that a bad file is a fault at start and not a failed handshake later.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::fault::{shown_error, shown_path};

/// Bytes of a certificate file; a system's whole bundle has a quarter of that.
const LIMIT: u64 = 1 << 20;

/// Why a file is no certificate file.
#[derive(Debug)]
pub(super) struct CertificateFault {
    path: PathBuf,
    why: Why,
}

#[derive(Debug)]
enum Why {
    Unreadable(io::Error),
    TooLong,
    /// The certificate at this place is broken, counted from 1.
    Damaged(usize),
    HoldsNone,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_path(&self.path))?;
        match &self.why {
            Why::Unreadable(why) => write!(f, " cannot be read: {}", shown_error(why)),
            Why::TooLong => f.write_str(" is longer than 1 MiB: that is no certificate file"),
            Why::Damaged(at) => write!(f, ": certificate {at} in it is damaged"),
            Why::HoldsNone => f.write_str(" holds no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----"),
        }
    }
}

impl std::error::Error for CertificateFault {}

/// The PEM bytes of a file that holds at least one certificate and no broken one.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, CertificateFault> {
    read_valid(path).map_err(|why| CertificateFault { path: path.to_owned(), why })
}

fn read_valid(path: &Path) -> Result<Vec<u8>, Why> {
    let mut pem = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut pem));
    if read.map_err(Why::Unreadable)? as u64 > LIMIT {
        return Err(Why::TooLong);
    }
    let mut roots = RootCertStore::empty();
    for (at, certificate) in CertificateDer::pem_slice_iter(&pem).enumerate() {
        let is_usable = certificate.is_ok_and(|der| roots.add(der).is_ok());
        if !is_usable {
            return Err(Why::Damaged(at + 1));
        }
    }
    if roots.is_empty() { Err(Why::HoldsNone) } else { Ok(pem) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A self-signed authority made for these tests; its key was thrown away.
    pub(in crate::config) const ROOT: &str = "-----BEGIN CERTIFICATE-----
MIIBjTCCATOgAwIBAgIUDgqerR46zIqjb7Ez7OUvOek6Y4kwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcGxhbnRzIHRlc3Qgcm9vdDAgFw0yNjExMjEwMjUzMjBaGA8y
MTI2MTAyODAyNTMyMFowGzEZMBcGA1UEAwwQcGxhbnRzIHRlc3Qgcm9vdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABMokhHhn42c5FJJRcJA3tNEgeq7pHqNHECZ3
hw01It67vjqY9dRwsXnnoVd5bEIxR4Jg6j0Xk7eS393o6LtfHRejUzBRMB0GA1Ud
DgQWBBQO+AgHuAAIMep484a/VXV85w5KpTAfBgNVHSMEGDAWgBQO+AgHuAAIMep4
84a/VXV85w5KpTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIB36
OYy+aYFzmAIkS+eV6/v1fdolFGSfMDwffA8148UJAiEArO+jlKwi8JgrzGlVutCq
O+xYVhAA6hGS7gG43QX9z84=
-----END CERTIFICATE-----
";

    fn read_bytes(content: &[u8]) -> Result<usize, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ca.pem");
        std::fs::write(&path, content).unwrap();
        read(&path).map(|pem| pem.len()).map_err(|why| why.to_string())
    }

    #[test]
    fn a_certificate_is_taken_whole() {
        assert_eq!(read_bytes(ROOT.as_bytes()), Ok(ROOT.len()));
    }

    #[test]
    fn what_holds_none_is_refused_by_name() {
        assert!(read_bytes(b"").unwrap_err().contains("holds no certificate"));
        assert!(read_bytes(b"\xff\xfe plain words").unwrap_err().contains("holds no certificate"));
        let broken = ROOT.replace("MIIBjTCC", "AAAAAAAA");
        assert!(
            read_bytes(format!("{ROOT}{broken}").as_bytes()).unwrap_err().contains("certificate 2 in it is damaged")
        );
        assert!(read_bytes(&vec![b'x'; (1 << 20) + 1]).unwrap_err().contains("longer than 1 MiB"));
        assert!(
            read(Path::new("/nowhere/ca.pem")).unwrap_err().to_string().starts_with("/nowhere/ca.pem cannot be read: ")
        );
    }
}
