//! Escaping of text in HTML that the program writes itself.

/// Escapes the special characters of a text, for an element or for an attribute in quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_place() {
        assert_eq!(escaped("<b a=\"x\" c='y'>&amp;"), "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;");
    }
}
