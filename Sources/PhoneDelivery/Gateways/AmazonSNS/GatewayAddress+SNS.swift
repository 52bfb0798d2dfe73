extension GatewayAddress {
    /// Where Amazon has SNS in a region. Source: https://docs.aws.amazon.com/general/latest/gr/sns.html.
    public static func sns(in region: AWSRegion) -> GatewayAddress {
        let domain = region.description.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return GatewayAddress(secureHost: "sns.\(region).\(domain)")
    }
}
