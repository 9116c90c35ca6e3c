//! Seeded mutations: a case is a number, and the same number is the same bytes on every machine.

/// A stream of numbers (SplitMix64).
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws(seed)
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound.max(1) as u64) as usize
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Text that means something to some parser.
const WORDS: &[&[u8]] = &[
    b"\"",
    b",",
    b"\n",
    b"\r\n",
    b"\t",
    b"\0",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b":",
    b"\\",
    b"`",
    b"null",
    b"true",
    b"NaN",
    b"inf",
    b"-0",
    b"1e999",
    b"-1",
    b"0",
    b"18446744073709551615",
    b"9223372036854775807",
    b"4294967296",
    b"99999999999999999999999",
    b"0.0000000000000000001",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x8f\xb3",
    b"\xe2\x80\xae",
    b"\x1b[2J",
    b"|||",
    b"0-0",
    b"##",
    b"</s>",
    b"[MASK]",
    b"\xe2\x96\x81",
    b"../../",
    b"%s",
    b"\"\"\"",
    b"-> ",
    b" | ",
];

/// Case `number` of a target: one of its seeds, changed in a few places.
pub fn case(seeds: &[Vec<u8>], number: u64, salt: u64) -> Vec<u8> {
    let mut draws = Draws::new(salt ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    // The seeds themselves come first.
    if let Some(seed) = usize::try_from(number)
        .ok()
        .and_then(|number| seeds.get(number))
    {
        return seed.clone();
    }
    let mut bytes = draws.one_of(seeds).clone();
    for _ in 0..1 + draws.below(6) {
        change(&mut bytes, seeds, &mut draws);
    }
    bytes
}

/// A place in the bytes; headers stand in front, and matter more.
fn place(bytes: &[u8], draws: &mut Draws) -> usize {
    match draws.below(3) {
        0 => draws.below(bytes.len().min(64)),
        1 => draws.below(bytes.len().min(4096)),
        _ => draws.below(bytes.len()),
    }
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], draws: &mut Draws) {
    if bytes.is_empty() {
        bytes.extend_from_slice(draws.one_of::<&[u8]>(WORDS));
        return;
    }
    let at = place(bytes, draws);
    let length = (1 + draws.below(32)).min(bytes.len() - at);
    match draws.below(12) {
        0 => bytes[at] ^= 1 << draws.below(8),
        1 => bytes[at] = draws.draw() as u8,
        2 => bytes.truncate(at),
        3 => {
            bytes.drain(at..at + length);
        }
        4 => {
            let again = bytes[at..at + length].to_vec();
            let times = 1 + draws.below(40);
            bytes.splice(at..at, again.repeat(times));
        }
        5 | 6 => {
            bytes.splice(at..at, draws.one_of(WORDS).iter().copied());
        }
        7 => {
            bytes.splice(at..at + length, draws.one_of(WORDS).iter().copied());
        }
        8 => number(bytes, at, draws),
        9 => integer(bytes, at, draws),
        10 => {
            let other = draws.one_of(seeds);
            let from = draws.below(other.len());
            let to = (from + 1 + draws.below(256)).min(other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
        _ => {
            // Deep nesting, long lines.
            let word = *draws.one_of(WORDS);
            let times = 1 + draws.below(3000);
            bytes.splice(at..at, word.repeat(times));
        }
    }
}

/// Replaces a number in text.
fn number(bytes: &mut Vec<u8>, from: usize, draws: &mut Draws) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes[from..].iter().position(is_digit) else {
        return;
    };
    let start = from + start;
    let end = bytes[start..].iter().position(|byte| !is_digit(byte));
    let end = end.map_or(bytes.len(), |end| start + end);
    const NUMBERS: &[&str] = &[
        "0",
        "1",
        "-1",
        "2",
        "255",
        "256",
        "65535",
        "65536",
        "2147483647",
        "4294967295",
        "1000000000000",
        "9223372036854775807",
        "18446744073709551615",
        "1e308",
        "0.5",
        "",
    ];
    bytes.splice(start..end, draws.one_of(NUMBERS).bytes());
}

/// Writes an integer that somebody may take for a size.
fn integer(bytes: &mut [u8], at: usize, draws: &mut Draws) {
    const VALUES: &[u64] = &[
        0,
        1,
        2,
        7,
        0x7f,
        0xff,
        0x7fff,
        0xffff,
        0x7fff_ffff,
        0xffff_ffff,
        1 << 32,
        1 << 40,
        1 << 62,
        i64::MAX as u64,
        u64::MAX,
        u64::MAX - 7,
    ];
    let value = draws.one_of(VALUES).to_le_bytes();
    let width = *draws.one_of(&[1, 2, 4, 8]);
    for (byte, new) in bytes[at..].iter_mut().zip(&value[..width]) {
        *byte = *new;
    }
}
