//! The name that an author probably meant.

/// The nearest of `names`, if one is near.
pub(crate) fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let near = 1 + word.chars().count() / 3;
    let measured = names.iter().map(|name| (distance(word, name), *name));
    measured.filter(|(distance, _)| *distance <= near).min().map(|(_, name)| name)
}

/// How many letters have to be put in, left out or changed.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, from) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, to) in to.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_name_that_was_meant() {
        assert_eq!(nearest("readonly", &["name", "read_only", "title"]), Some("read_only"));
        assert_eq!(nearest("tittle", &["name", "title"]), Some("title"));
    }

    #[test]
    fn a_name_that_is_far_from_all_finds_none() {
        assert_eq!(nearest("colour", &["name", "title"]), None);
    }
}
