//! Logarithmic axes: where a value lies, and which values are labelled.

/// An axis from one value to a greater one, both positive.
#[derive(Clone)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

impl Axis {
    /// The least axis that ends in ticks and holds `values`; ticks at 1, 2 and 5 times the powers of ten, or at 1 and 3
    /// where there would be many.
    pub(super) fn decades(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        let steps: &[f64] = if high / low > 200.0 { &[1.0, 3.0] } else { &[1.0, 2.0, 5.0] };
        let all = |exponent: i32| steps.iter().map(move |step| step * 10_f64.powi(exponent));
        let exponents = low.log10().floor() as i32..=high.log10().ceil() as i32;
        Self::around(low, high, exponents.flat_map(all).collect())
    }

    /// The same with ticks at the powers of `1 << shift`.
    pub(super) fn powers(values: impl IntoIterator<Item = f64>, shift: i32) -> Self {
        let (low, high) = range(values);
        let base = f64::from(shift);
        let exponents = (low.log2() / base).floor() as i32..=(high.log2() / base).ceil() as i32;
        Self::around(low, high, exponents.map(|exponent| 2_f64.powi(exponent * shift)).collect())
    }

    fn around(low: f64, high: f64, ticks: Vec<f64>) -> Self {
        let from = ticks.iter().copied().filter(|&tick| tick <= low).fold(f64::NAN, f64::max);
        let to = ticks.iter().copied().filter(|&tick| tick >= high).fold(f64::NAN, f64::min);
        let ticks = ticks.into_iter().filter(|tick| (from..=to).contains(tick)).collect();
        Self { low: from, high: to, ticks }
    }

    pub(super) fn ticks(&self) -> &[f64] {
        &self.ticks
    }

    /// How far `value` is on the way from one end, 0, to the other, 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value / self.low).ln() / (self.high / self.low).ln()
    }
}

/// The least and the greatest, which are told apart.
fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .into_iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    assert!(low > 0.0 && low.is_finite(), "a logarithmic axis needs positive values");
    (low, high.max(low * 1.01))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_in_the_ticks_around_its_values() {
        assert_eq!(Axis::decades([150.0, 640.0]).ticks(), [100.0, 200.0, 500.0, 1000.0]);
        assert_eq!(Axis::decades([100.0]).ticks(), [100.0, 200.0]);
        assert_eq!(
            Axis::decades([8.0, 4000.0]).ticks(),
            [3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0]
        );
        assert_eq!(Axis::powers([1024.0, 5000.0], 2).ticks(), [1024.0, 4096.0, 16384.0]);
    }

    #[test]
    fn a_value_lies_by_its_logarithm() {
        let axis = Axis::decades([100.0, 10_000.0]);
        let shares = [100.0, 1000.0, 10_000.0].map(|value| (axis.share(value) * 1000.0).round());
        assert_eq!(shares, [0.0, 500.0, 1000.0]);
    }
}
