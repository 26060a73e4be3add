/** Lint rules of this project that Oxlint doesn't have; `oxlint.config.ts` loads them. */

type Context = { report(problem: { node: object; message: string }): void }
type ExportAll = { exportKind?: 'type' | 'value' }

/** An index names what it exports; `export type *` of a file that holds only types is fine. */
const noExportAll = {
  create: (context: Context) => ({
    ExportAllDeclaration(node: ExportAll) {
      if (node.exportKind !== 'type') context.report({ node, message: 'Name what is exported: export { … } from.' })
    },
  }),
}

export default { meta: { name: 'copydesk' }, rules: { 'no-export-all': noExportAll } }
