//! AWS Signature Version 4, as far as a POST to one service needs it.
//! <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>

use sha2::{Digest, Sha256};

const BLOCK: usize = 64;

/// Who signs, for where.
pub struct Scope<'a> {
    pub access_key: &'a str,
    pub secret_key: &'a str,
    pub region: &'a str,
    pub service: &'a str,
}

/// What is signed. Header names are lower case and in alphabetical order.
pub struct Signed<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub query: &'a str,
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a [u8],
}

/// The value of the `Authorization` header; `time` is `20150830T123600Z`.
pub fn authorization(scope: &Scope<'_>, request: &Signed<'_>, time: &str) -> String {
    let day = time.get(..8).unwrap_or(time);
    let names: Vec<&str> = request.headers.iter().map(|(name, _)| *name).collect();
    let signed_headers = names.join(";");
    let headers: String = request
        .headers
        .iter()
        .map(|(name, value)| {
            let words: Vec<&str> = value.split_whitespace().collect();
            format!("{name}:{}\n", words.join(" "))
        })
        .collect();
    let canonical = format!(
        "{}\n{}\n{}\n{headers}\n{signed_headers}\n{}",
        request.method,
        request.path,
        request.query,
        hex(&Sha256::digest(request.body))
    );
    let place = format!("{day}/{}/{}/aws4_request", scope.region, scope.service);
    let to_sign = format!(
        "AWS4-HMAC-SHA256\n{time}\n{place}\n{}",
        hex(&Sha256::digest(canonical.as_bytes()))
    );
    let signature = hex(&hmac(&signing_key(scope, day), to_sign.as_bytes()));
    format!(
        "AWS4-HMAC-SHA256 Credential={}/{place}, SignedHeaders={signed_headers}, Signature={signature}",
        scope.access_key
    )
}

fn signing_key(scope: &Scope<'_>, day: &str) -> [u8; 32] {
    let start = format!("AWS4{}", scope.secret_key);
    let day = hmac(start.as_bytes(), day.as_bytes());
    let region = hmac(&day, scope.region.as_bytes());
    let service = hmac(&region, scope.service.as_bytes());
    hmac(&service, b"aws4_request")
}

/// HMAC-SHA-256 (RFC 2104).
fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key))
    } else {
        block[..key.len()].copy_from_slice(key)
    }
    let padded = |pad: u8| block.map(|byte| byte ^ pad);
    let mut inner = Sha256::new();
    inner.update(padded(0x36));
    inner.update(message);
    let mut outer = Sha256::new();
    outer.update(padded(0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    bytes
        .iter()
        .flat_map(|byte| {
            [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: Scope<'_> = Scope {
        access_key: "AKIDEXAMPLE",
        secret_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        region: "us-east-1",
        service: "service",
    };
    const TIME: &str = "20150830T123600Z";

    fn check(request: &Signed<'_>, headers: &str, signature: &str) {
        let expected = format!(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders={headers}, Signature={signature}"
        );
        assert_eq!(authorization(&SUITE, request, TIME), expected);
    }

    /// The Signature Version 4 test suite: get-vanilla, post-vanilla,
    /// get-vanilla-query-order-key-case, post-x-www-form-urlencoded.
    #[test]
    fn the_published_suite() {
        let host = ("host", "example.amazonaws.com");
        let date = ("x-amz-date", TIME);
        for (method, query, signature) in [
            (
                "GET",
                "",
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            ),
            (
                "POST",
                "",
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            ),
            (
                "GET",
                "Param1=value1&Param2=value2",
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
            ),
        ] {
            let request = Signed {
                method,
                path: "/",
                query,
                headers: &[host, date],
                body: b"",
            };
            check(&request, "host;x-amz-date", signature);
        }
        let form = Signed {
            method: "POST",
            path: "/",
            query: "",
            headers: &[
                ("content-type", "application/x-www-form-urlencoded"),
                host,
                date,
            ],
            body: b"Param1=value1",
        };
        check(
            &form,
            "content-type;host;x-amz-date",
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
        );
    }

    /// The worked example of the documentation (IAM ListUsers).
    #[test]
    fn the_documented_example() {
        let scope = Scope {
            service: "iam",
            ..SUITE
        };
        let key = signing_key(&scope, "20150830");
        assert_eq!(
            hex(&key),
            "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"
        );
        let request = Signed {
            method: "GET",
            path: "/",
            query: "Action=ListUsers&Version=2010-05-08",
            headers: &[
                (
                    "content-type",
                    "application/x-www-form-urlencoded; charset=utf-8",
                ),
                ("host", "iam.amazonaws.com"),
                ("x-amz-date", TIME),
            ],
            body: b"",
        };
        assert!(authorization(&scope, &request, TIME).ends_with(
            "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
        ));
    }

    /// RFC 4231, test cases 1 and 6 (a key longer than a block).
    #[test]
    fn hmac_as_published() {
        assert_eq!(
            hex(&hmac(&[0x0b; 20], b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            hex(&hmac(
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First"
            )),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
    }
}
