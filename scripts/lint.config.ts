/** Lint rules of this project that Oxlint doesn't have; `oxlint.config.ts` loads them. */

import { translatedText } from './lib/translated-text.ts'

type Context = { report(problem: { node: object; message: string }): void }
type ExportAll = { exportKind?: 'type' | 'value' }
type ImportType = { source: { value?: unknown } }

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

export default {
  meta: { name: 'copydesk' },
  rules: { 'no-export-all': noExportAll, 'no-own-import-type': noOwnImportType, 'translated-text': translatedText },
}
