import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

// './some-thread.ts', or `./some-thread${extname(import.meta.url)}`
const threadName =
  /(?:'(?<fixed>\.{1,2}\/[\w./-]+)\.ts'|`(?<same>\.{1,2}\/[\w./-]+)\$\{extname\(import\.meta\.url\)\}`)/
const threadUrl = new RegExp(`new URL\\(\\s*${threadName.source},\\s*import\\.meta\\.url,?\\s*\\)`, 'g')

const ourSources = /\/(apps\/server|packages\/[\w-]+)\/src\/[^?]+\.ts$/
const unnamedWorker = /new Worker\((?!this\.)/

/**
 * Bundles worker threads: every `new URL('./some-thread.ts', import.meta.url)` in our sources becomes an entry
 * `some-thread.js` in the (flat) output folder, and the expression points there. From sources the same expression names
 * the TypeScript file, which Node runs as it is. The build fails if two threads have the same file name, and if a file
 * starts a worker that it doesn't name in this way, unless the file is a parameter (`new Worker(this.…`).
 */
export function workerEntries(): Plugin {
  const entries = new Map<string, string>()
  return {
    name: 'worker-entries',
    transform: {
      filter: { id: ourSources, code: /import\.meta\.url|new Worker\(/ },
      handler(code, id) {
        let found = 0
        const changed = code.replace(threadUrl, (_, fixed?: string, same?: string) => {
          found += 1
          const path = fixed ?? same ?? ''
          const source = join(dirname(id), `${path}.ts`)
          const name = basename(path)
          const other = entries.get(name)
          if (other === undefined) this.emitFile({ type: 'chunk', id: source, name, fileName: `${name}.js` })
          else if (other !== source) this.error(`two worker threads are named ${name}: ${other} and ${source}`)
          entries.set(name, source)
          return `new URL('./${name}.js', import.meta.url)`
        })
        if (found === 0 && unnamedWorker.test(code)) this.error(`${id} starts a worker whose file isn't found`)
        return changed
      },
    },
  }
}

/**
 * Makes unbundled sources start the worker threads of a bundle in `folder`: each starts in a fifth of the time. For
 * tests; threads that a test itself names are started from their source.
 */
export function bundledWorkers(folder: string): Plugin {
  return {
    name: 'bundled-workers',
    transform: {
      filter: { id: { include: ourSources, exclude: /\.test\.ts$/ }, code: 'import.meta.url' },
      handler: (code) =>
        code.replace(threadUrl, (_, fixed?: string, same?: string) => {
          const file = join(folder, `${basename(fixed ?? same ?? '')}.js`)
          return `new URL('${pathToFileURL(file).href}')`
        }),
    },
  }
}
