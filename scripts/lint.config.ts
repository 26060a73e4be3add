/** Lint rules of this project that Oxlint doesn't have; `oxlint.config.ts` loads them. */

import { translatedText } from './lib/translated-text.ts'

type Context = { report(problem: { node: object; message: string }): void }
type ExportAll = { exportKind?: 'type' | 'value' }
type ImportType = { source: { value?: unknown } }
type Comment = { loc: { start: { line: number }; end: { line: number } } }
type Source = { lines: string[]; getAllComments(): Comment[] }

/** An index names what it exports; `export type *` of a file that holds only types is fine. */
const noExportAll = {
  create: (context: Context) => ({
    ExportAllDeclaration(node: ExportAll) {
      if (node.exportKind !== 'type') context.report({ node, message: 'Name what is exported: export { … } from.' })
    },
  }),
}

/** The rules about imports don't see `import('./file.ts')` as a type; `import type` says the same. */
const noOwnImportType = {
  create: (context: Context) => ({
    TSImportType(node: ImportType) {
      if (String(node.source.value).startsWith('.')) context.report({ node, message: 'Write `import type` instead.' })
    },
  }),
}

const longestCommentLine = 120

/** The formatter keeps code within this width, and leaves comments alone. */
const commentWidth = {
  create: ({ report, sourceCode }: Context & { sourceCode: Source }) => ({
    Program() {
      // Most files have no long line.
      if (sourceCode.lines.every((line) => line.length <= longestCommentLine)) return
      for (const comment of sourceCode.getAllComments()) {
        const { start, end } = comment.loc
        if (sourceCode.lines.slice(start.line - 1, end.line).some((line) => line.length > longestCommentLine))
          report({ node: comment, message: `A line of a comment has at most ${longestCommentLine} columns.` })
      }
    },
  }),
}

export default {
  meta: { name: 'copydesk' },
  rules: {
    'comment-width': commentWidth,
    'no-export-all': noExportAll,
    'no-own-import-type': noOwnImportType,
    'translated-text': translatedText,
  },
}
