import CoreEncodings
import PhoneDomain

/// What the pages load of a captcha's provider, and what their policy allows for that.
public struct CaptchaWidget: Hashable, Sendable {
    /// The URL of its script, and the origin of that.
    let script, origin: String
    /// The class of its element; nil where a script asks for the token (reCAPTCHA v3).
    let elementClass: String?
    /// Further sources, separated by spaces.
    let scripts, frames, connections, styles: String

    public init(
        script: String,
        origin: String,
        elementClass: String?,
        scripts: String = "",
        frames: String = "",
        connections: String = "",
        styles: String = ""
    ) {
        (self.script, self.origin, self.elementClass) = (script, origin, elementClass)
        (self.scripts, self.frames, self.connections, self.styles) = (scripts, frames, connections, styles)
    }

    /// The element that the provider's script finds, and that script. Ours waits for the token (`captchaSolved`).
    func html(of captcha: Captcha, in language: LanguageTag, nonce: String) -> HTML {
        let rendered = captcha.kind == .recaptchaV3 ? "?render=\(captcha.siteKey.percentEncoded)" : ""
        let isModule = captcha.kind == .friendlyCaptcha
        return """
            <div id="captcha" class="\(elementClass ?? "")" data-sitekey="\(captcha.siteKey)" data-action="\(Captcha.action)" data-callback="captchaSolved" data-language="\(language.language)" lang="\(language.language)"></div>
            <script nonce="\(nonce)" src="\(script)\(rendered)" id="captcha-script" async defer\(" type=\"module\"", if: isModule)></script>

            """
    }
}
