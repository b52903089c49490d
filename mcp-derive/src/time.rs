//! Times as an author writes them: `"30s"`, `"1m 30s"`.

use std::time::Duration;

/// Reads numbers with the units `ms`, `s`, `m`, `h` and `d`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut millis: u64 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let after = after.trim_start();
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let unit = match &after[..end] {
            "ms" => 1,
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        millis = number.parse::<u64>().ok()?.checked_mul(unit).and_then(|part| millis.checked_add(part))?;
        rest = after[end..].trim_start();
    }
    Some(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_by_their_units() {
        assert_eq!(duration("30s"), Some(Duration::from_secs(30)));
        assert_eq!(duration("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(duration("1h 30m"), Some(Duration::from_secs(5400)));
        assert_eq!(duration("2d"), Some(Duration::from_secs(172_800)));
        assert_eq!(duration("0s"), Some(Duration::ZERO));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in
            ["", "30", "s", "3 weeks", "-1s", "1.5s", "99999999999999999999s", "18446744073709551615d"]
        {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
