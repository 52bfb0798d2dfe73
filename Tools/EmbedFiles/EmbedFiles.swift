import Foundation
import PackagePlugin

/// Makes of the style sheets, scripts and YAML documents among a module's files an `enum EmbeddedFiles` with the text of each,
/// by `FileEmbedder`.
///
/// SwiftPM's own `.embedInCode` makes array literals, which take the compiler seconds each, and cannot convert.
@main struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = (target.sourceModule?.sourceFiles.map(\.url) ?? [])
            .filter { ["css", "js", "yaml"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)",
                executable: try context.tool(named: "FileEmbedder").url,
                arguments: [output.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }
}
