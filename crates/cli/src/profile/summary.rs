//! The measures of many bodies, and the limits that follow from them.

use plimsoll::Media;

use super::measure::Measures;
use super::quantity::Quantity;

/// A body that was measured, under the name it was given by.
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) media: Media,
    pub(crate) measures: Measures,
}

/// One quantity over all bodies that have it.
pub(crate) struct Row<'b> {
    pub(crate) quantity: Quantity,
    pub(crate) least: u64,
    /// Of an even number of bodies, the lower of the two in the middle.
    pub(crate) median: u64,
    pub(crate) greatest: u64,
    /// The first body that has the greatest; nothing where several have it and all the same.
    pub(crate) greatest_in: &'b str,
    pub(crate) limit: Option<u64>,
}

/// The quantities that apply to any of the bodies.
pub(crate) fn rows(bodies: &[Body]) -> Vec<Row<'_>> {
    Quantity::ALL.into_iter().filter_map(|quantity| row(quantity, bodies)).collect()
}

/// All values of a quantity, in order.
pub(crate) fn values(quantity: Quantity, bodies: &[Body]) -> Vec<u64> {
    let mut values: Vec<_> = bodies.iter().filter_map(|body| quantity.of(&body.measures)).collect();
    values.sort_unstable();
    values
}

fn row(quantity: Quantity, bodies: &[Body]) -> Option<Row<'_>> {
    let values = values(quantity, bodies);
    let (least, greatest) = (*values.first()?, *values.last()?);
    let median = *values.get(values.len().saturating_sub(1) >> 1)?;
    let first = bodies.iter().find(|body| quantity.of(&body.measures) == Some(greatest))?;
    let greatest_in = if values.len() > 1 && least == greatest { "" } else { first.name.as_str() };
    let limit = quantity.limit(greatest);
    Some(Row { quantity, least, median, greatest, greatest_in, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(name: &str, encoded: u64) -> Body {
        let measures = Measures { encoded, decoded: encoded, gzip: None, document: None, stream: None };
        Body { name: name.to_owned(), media: Media::Octets, measures }
    }

    #[test]
    fn what_no_body_has_is_no_row_and_the_middle_of_an_even_number_is_the_lower_one() {
        assert!(rows(&[]).is_empty());
        let bodies = [body("a", 9), body("b", 4), body("c", 9), body("d", 7)];
        let rows = rows(&bodies);
        assert_eq!(
            rows.iter().map(|row| row.quantity).collect::<Vec<_>>(),
            [Quantity::Encoded, Quantity::Decoded]
        );
        let Some(row) = rows.first() else { panic!("no row") };
        assert_eq!((row.least, row.median, row.greatest, row.greatest_in), (4, 7, 9, "a"));
    }

    #[test]
    fn where_all_are_the_same_none_is_named() {
        let bodies = [body("a", 9), body("b", 9)];
        assert_eq!(rows(&bodies).first().map(|row| row.greatest_in), Some(""));
        assert_eq!(rows(&bodies[..1]).first().map(|row| row.greatest_in), Some("a"));
    }
}
