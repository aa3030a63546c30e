//! Reads the additional certificates of a connection, and its client certificate with its key, up to a size limit, and validates them: a damaged file is a
//! fault at the start, not a failed handshake later.
//!
//! Must not know the connection.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;
use zeroize::Zeroizing;

use super::fault::{Fault, Located, shown_error, shown_path};
use crate::client::{self, Certificates, ClientCertificate, KeyFault};

/// Bytes of the largest file that is read; the bundle of a whole system has a quarter of that.
const SIZE_LIMIT: u64 = 1 << 20;

#[derive(Debug, Error)]
pub(super) enum CertificateFault {
    #[error("it cannot be read: {}; check its name and its permissions", shown_error(.0))]
    Unreadable(#[from] io::Error),
    #[error("it is longer than 1 MiB, and no certificate file: name another one")]
    TooLong,
    #[error(transparent)]
    Invalid(#[from] client::CertificateFault),
    #[error(transparent)]
    Key(#[from] KeyFault),
    #[error("it contains no private key: name its file in client_key")]
    NoKeyHere,
}

/// Returns the certificates of a file, at least one and no damaged one.
pub(super) fn read(path: &Path) -> Result<Certificates, CertificateFault> {
    Ok(Certificates::roots_from_pem(&content(path)?)?)
}

/// Returns the client certificate of a file, with the key in it or in another file.
pub(super) fn client(
    certificate: &Located<PathBuf>,
    key: Option<&Located<PathBuf>>,
) -> Result<ClientCertificate, Fault> {
    let at = |file: &Located<PathBuf>, why: CertificateFault| {
        file.location.fault(format_args!("{}: {why}", shown_path(&file.value)))
    };
    let read = |file: &Located<PathBuf>| content(&file.value).map_err(|why| at(file, why));
    let (pem, key_pem) = (read(certificate), key.map(read).transpose());
    let pem = pem?;
    let chain = Certificates::from_pem(&pem).map_err(|why| at(certificate, why.into()))?;
    let key_pem = key_pem?;
    let made = ClientCertificate::new(chain, key_pem.as_ref().unwrap_or(&pem));
    made.map_err(|why| match (key, why) {
        (None, KeyFault::NoKey) => at(certificate, CertificateFault::NoKeyHere),
        (key, why) => at(key.unwrap_or(certificate), why.into()),
    })
}

/// Reads a file that may contain a key, up to the limit.
fn content(path: &Path) -> Result<Zeroizing<Vec<u8>>, CertificateFault> {
    let file = File::open(path)?;
    // Allocated at once: a buffer that grows leaves copies in memory.
    let size = file.metadata()?.len().min(SIZE_LIMIT) + 1;
    let mut pem = Zeroizing::new(Vec::with_capacity(usize::try_from(size).unwrap_or_default()));
    if file.take(SIZE_LIMIT + 1).read_to_end(&mut pem)? as u64 > SIZE_LIMIT {
        return Err(CertificateFault::TooLong);
    }
    if pem.starts_with("\u{feff}".as_bytes()) {
        // The byte order mark of some editors.
        pem.drain(.."\u{feff}".len());
    }
    Ok(pem)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A self-signed authority for these tests; its key no longer exists.
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

    fn read_bytes(content: &[u8]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        std::fs::write(&path, content).unwrap();
        read(&path).map(drop).map_err(|why| why.to_string())
    }

    #[test]
    fn a_valid_file_is_read() {
        assert_eq!(read_bytes(format!("\u{feff}{ROOT}").as_bytes()), Ok(()));
        assert_eq!(read_bytes(format!("an authority\n{ROOT}{ROOT}").as_bytes()), Ok(()));
    }

    #[test]
    fn an_invalid_file_is_named_with_the_reason() {
        assert!(read_bytes(b"").unwrap_err().contains("contains no certificate"));
        assert!(read_bytes(b"\xff\xfe plain words").unwrap_err().contains("contains no certificate"));
        let broken = ROOT.replace("MIIBjTCC", "AAAAAAAA");
        assert!(
            read_bytes(format!("{ROOT}{broken}").as_bytes()).unwrap_err().contains("certificate 2 in it is damaged")
        );
        assert!(read_bytes(&vec![b'x'; (1 << 20) + 1]).unwrap_err().contains("longer than 1 MiB"));
        assert!(read(Path::new("/nowhere/ca.pem")).unwrap_err().to_string().starts_with("it cannot be read: "));
    }
}
