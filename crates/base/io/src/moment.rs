//! Dates and times as people and services write them.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment, in seconds since 1970, in universal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(i64);

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

impl Moment {
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since.map_or(0, |since| since.as_secs());
        Moment(i64::try_from(seconds).unwrap_or(i64::MAX))
    }

    pub const fn of_seconds(since_1970: i64) -> Moment {
        Moment(since_1970)
    }

    /// The first moment of a day, `2026-11-15`.
    pub fn of_day(day: &str) -> Option<Moment> {
        let parts: Vec<i64> = day
            .split('-')
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        let [year, month, day] = parts[..] else {
            return None;
        };
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day)
        {
            return None;
        }
        let days = days_before(year, month) + day - 1;
        let moment = Moment(days * 86_400);
        (moment.date() == (year, month, day)).then_some(moment)
    }

    /// `2026-11-17T20:14:05Z`, with or without the `Z`.
    pub fn of_time(text: &str) -> Option<Moment> {
        let (day, time) = text.strip_suffix('Z').unwrap_or(text).split_once('T')?;
        let parts: Vec<i64> = time
            .split(':')
            .map(|part| {
                let digits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
                digits.then(|| part.parse().ok()).flatten()
            })
            .collect::<Option<_>>()?;
        let [hour, minute, second] = parts[..] else {
            return None;
        };
        let is_time = hour < 24 && minute < 60 && second < 60;
        let Moment(start) = Moment::of_day(day)?;
        is_time.then_some(Moment(start + hour * 3600 + minute * 60 + second))
    }

    /// Since 1970.
    pub fn seconds(self) -> i64 {
        self.0
    }

    /// Year, month and day.
    pub fn date(self) -> (i64, i64, i64) {
        // Howard Hinnant's civil_from_days.
        let shifted = self.0.div_euclid(86_400) + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * march_month + 2) / 5 + 1;
        let month = if march_month < 10 {
            march_month + 3
        } else {
            march_month - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year, month, day)
    }

    /// `2026-11-17`
    pub fn day(self) -> String {
        self.written("%F").expect("the directive is known")
    }

    /// `2026-11-17T20:14:05Z`, as RFC 3339 has it.
    pub fn time(self) -> String {
        self.written("%FT%TZ").expect("the directives are known")
    }

    /// As C's `strftime` writes it in English; an unknown directive is an error.
    pub fn written(self, format: &str) -> Result<String, String> {
        let (year, month, day) = self.date();
        let second = self.0.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let days = self.0.div_euclid(86_400);
        let weekday = DAYS[usize::try_from((days + 3).rem_euclid(7)).unwrap_or(0)];
        let month_name = MONTHS[usize::try_from(month - 1).unwrap_or(0)];
        let half = |hour: i64| if hour % 12 == 0 { 12 } else { hour % 12 };
        let mut out = String::new();
        let mut rest = format.chars();
        while let Some(c) = rest.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut directive = rest.next();
            let bare = directive == Some('-');
            if bare {
                directive = rest.next();
            }
            let two = |out: &mut String, number: i64| {
                if bare {
                    write!(out, "{number}")
                } else {
                    write!(out, "{number:02}")
                }
            };
            let written = match directive {
                Some('Y') => write!(out, "{year:04}"),
                Some('y') => two(&mut out, year % 100),
                Some('m') => two(&mut out, month),
                Some('d') => two(&mut out, day),
                Some('e') => write!(out, "{day:2}"),
                Some('H') => two(&mut out, hour),
                Some('I') => two(&mut out, half(hour)),
                Some('M') => two(&mut out, minute),
                Some('S') => two(&mut out, second),
                Some('p') => write!(out, "{}", if hour < 12 { "AM" } else { "PM" }),
                Some('B') => write!(out, "{month_name}"),
                Some('b' | 'h') => write!(out, "{}", &month_name[..3]),
                Some('A') => write!(out, "{weekday}"),
                Some('a') => write!(out, "{}", &weekday[..3]),
                Some('j') => write!(out, "{:03}", days - days_before(year, 1) + 1),
                Some('F') => write!(out, "{year:04}-{month:02}-{day:02}"),
                Some('T') => write!(out, "{hour:02}:{minute:02}:{second:02}"),
                Some('%') => write!(out, "%"),
                other => {
                    let directive = other.map(String::from).unwrap_or_default();
                    return Err(format!("`%{directive}` is not supported"));
                }
            };
            written.map_err(|error| error.to_string())?;
        }
        Ok(out)
    }
}

/// Days from 1970 to the first of a month.
fn days_before(year: i64, month: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Python's `datetime(…).strftime(…)`.
    #[test]
    fn days_are_written_as_strftime_writes_them() {
        for (day, format, written) in [
            ("2024-07-26", "%d %b %Y", "26 Jul 2024"),
            (
                "2024-02-29",
                "%A, %B %-d, %Y",
                "Thursday, February 29, 2024",
            ),
            (
                "2000-01-01",
                "%Y-%m-%d %H:%M:%S %p %I %j %y",
                "2000-01-01 00:00:00 AM 12 001 00",
            ),
            ("2026-12-31", "%a %e %F %j %%", "Thu 31 2026-12-31 365 %"),
            ("1970-01-01", "%d.%m.%Y", "01.01.1970"),
        ] {
            let moment = Moment::of_day(day).unwrap();
            assert_eq!(moment.written(format).unwrap(), written);
        }
        for (seconds, time) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_794_946_445, "2026-11-17T20:14:05Z"),
        ] {
            assert_eq!(Moment::of_seconds(seconds).time(), time);
            assert_eq!(Moment::of_seconds(seconds).day(), time[..10]);
            assert_eq!(Moment::of_time(time).map(Moment::seconds), Some(seconds));
            let bare = time.trim_end_matches('Z');
            assert_eq!(Moment::of_time(bare), Moment::of_time(time));
        }
        assert!(Moment::of_day("2023-02-29").is_none());
        assert!(Moment::of_day("today").is_none());
        for bad in [
            "2026-11-17",
            "2026-11-17T24:00:00Z",
            "2026-11-17T+1:00:00",
            "T",
        ] {
            assert!(Moment::of_time(bad).is_none(), "{bad}");
        }
        assert!(Moment::now().written("%Q").is_err());
    }
}
