//! Units from the names of figures.

/// Ends of names and the units they stand for, longer ones first.
const UNITS: [(&str, &str); 17] = [
    ("_rad_per_s2", "rad/s^2"),
    ("_kg", "kg"),
    ("_rad_per_s", "rad/s"),
    ("_m_per_s2", "m/s^2"),
    ("_m_per_s", "m/s"),
    ("_N_s", "N s"),
    ("_bytes", "bytes"),
    ("_share", "-"),
    ("_deg", "deg"),
    ("_rad", "rad"),
    ("_rel", "-"),
    ("_us", "us"),
    ("_ms", "ms"),
    ("_N", "N"),
    ("_J", "J"),
    ("_m", "m"),
    ("_s", "s"),
];

/// The unit of a figure by its name; `-` stands for none, `None` for a count or a share without one in its name.
pub fn unit(name: &str) -> Option<&'static str> {
    let mut units = UNITS.iter();
    let found = units.find(|(end, _)| name.ends_with(end));
    found.map(|(_, unit)| *unit)
}

/// A figure's name as an axis states it: `drop_m` is `drop [m]`.
pub fn quantity(name: &str) -> String {
    for (end, unit) in UNITS {
        if let Some(rest) = name.strip_suffix(end) {
            return format!("{} [{unit}]", rest.replace('_', " "));
        }
    }
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::quantity;

    #[test]
    fn names_carry_their_units() {
        let names = [
            "creep_m_per_s",
            "step_median_us",
            "solved_share_016",
            "normal_impulse_N_s",
        ];
        assert_eq!(
            names.map(quantity),
            [
                "creep [m/s]",
                "step median [us]",
                "solved share 016",
                "normal impulse [N s]"
            ]
        );
    }
}
