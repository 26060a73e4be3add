import type { Plugin, Rolldown } from 'vite'

// What the page of a document needs to show the text: the shapes of the first responses, and its own code.
const needed = ['/api/shell-shapes.ts', '/document/document-page.tsx', '/document/opened-page.tsx']

// Before the files, of which a browser loads six at a time.
const firstRequest = '    <link rel="preload" as="fetch" crossorigin href="/api/me">\n'

/**
 * Builds `document.html`, the page for addresses of documents: `index.html` that also names the files of the editor, so
 * that the browser loads them in parallel with the shell, not after it has run.
 */
export function documentHtml(): Plugin {
  return {
    name: 'document-html',
    apply: 'build',
    // Vite itself writes `index.html` in this hook.
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('the build has no index.html')
      this.emitFile({ type: 'asset', fileName: 'document.html', source: withFiles(String(page.source), bundle) })
    },
  }
}

function withFiles(html: string, bundle: Rolldown.OutputBundle): string {
  // The largest first: a browser makes six requests at a time, and compiles a file while others arrive.
  const chunks = withImports(bundle, needed).toSorted((a, b) => b.code.length - a.code.length)
  const scripts = chunks.map(({ fileName }) => ['modulepreload', fileName] as const)
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  const links = [...scripts, ...styles.map((file) => ['stylesheet', file] as const)]
    .filter(([, file]) => !html.includes(file))
    .map(([rel, file]) => `    <link rel="${rel}" crossorigin href="/${file}">\n`)
  return html.replace('  </head>', `${firstRequest}${links.join('')}  </head>`)
}

/** The chunks that have these modules, and everything that they import at once. */
function withImports(bundle: Rolldown.OutputBundle, modules: readonly string[]): Rolldown.OutputChunk[] {
  const found = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): void => {
    if (chunk?.type !== 'chunk' || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) add(bundle[name])
  }
  for (const module of modules) {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)),
    )
    if (!chunk) throw new Error(`no chunk has ${module}: it has moved`)
    add(chunk)
  }
  return [...found]
}
