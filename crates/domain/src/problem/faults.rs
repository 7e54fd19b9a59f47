//! All problems of a form, reported at once.

use super::{Field, Problem};

/// Gathers the problems of a form's fields.
#[derive(Debug, Default)]
pub struct Faults(Vec<Problem>);

impl Faults {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the value of a field; `None`: its problem was recorded.
    pub fn note<T>(&mut self, outcome: Result<T, Problem>) -> Option<T> {
        outcome.map_err(|problem| self.add(problem)).ok()
    }

    pub fn add(&mut self, problem: Problem) {
        match problem {
            Problem::Several { problems } => self.0.extend(problems),
            one => self.0.push(one),
        }
    }

    /// Refuses the form if a problem was recorded.
    pub fn settle(mut self) -> Result<(), Problem> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(self.0.remove(0)),
            _ => Err(Problem::Several { problems: self.0 }),
        }
    }
}

impl Problem {
    /// Returns the single problems.
    #[must_use]
    pub fn each(&self) -> &[Self] {
        match self {
            Self::Several { problems } => problems,
            one => std::slice::from_ref(one),
        }
    }

    /// Returns the problem of this field, if there is one.
    #[must_use]
    pub fn of_field(&self, wanted: Field) -> Option<&Self> {
        self.each().iter().find(|problem| matches!(problem, Self::Invalid { field, .. } if *field == wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_problem_stays_itself_and_several_are_said_together() {
        assert_eq!(Faults::new().settle(), Ok(()));
        let name = || Problem::invalid(Field::Name, "must be 1 to 100 characters");
        let mut faults = Faults::new();
        assert_eq!((faults.note(Ok(1)), faults.note::<()>(Err(name()))), (Some(1), None));
        assert_eq!(faults.settle(), Err(name()));
        let mut faults = Faults::new();
        faults.add(name());
        faults.add(Problem::Several { problems: vec![Problem::invalid(Field::Url, "must name a host"), name()] });
        let all = faults.settle().expect_err("refused");
        assert_eq!(all.each().len(), 3);
        assert_eq!(
            all.to_string(),
            "`name` must be 1 to 100 characters. `url` must name a host. `name` must be 1 to 100 characters.".replace('`', "")
        );
        assert_eq!((all.of_field(Field::Url).is_some(), all.of_field(Field::Reason)), (true, None));
        assert_eq!((all.status(), name().each()), (422, [name()].as_slice()));
    }
}
