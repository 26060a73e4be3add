import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createProjectFiles } from '@copydesk/server/project'
import { failure, type FileChange, type FileOutcome, type ProjectHost, type WebHost } from '@copydesk/tools'

/** A page of the web of a case: searches find all pages. */
export type EvalPage = { title: string; text: string }

/** What is outside of a case's document: the files of a project by their paths, and pages by their addresses. */
export type CaseResources = {
  files?: Readonly<Record<string, string>> | undefined
  pages?: Readonly<Record<string, EvalPage>> | undefined
}

/** What happened outside of the document: the files afterwards, and all words and addresses that were sent out. */
export type ResourcesState = { files: Readonly<Record<string, string>>; sent: readonly string[] }

/** The opened resources of a case, for the host of its sessions. Close it when done. */
export type OpenedResources = {
  readonly project: ProjectHost | undefined
  readonly web: WebHost | undefined
  state(): ResourcesState
  close(): Promise<void>
}

/** Opens the resources of a case: files in a folder of its own, read as the server reads them, and a web in memory. */
export function openResources({ files, pages }: CaseResources): OpenedResources {
  const sent: string[] = []
  const folder = files && writeFiles(files)
  const reading = folder === undefined ? undefined : createProjectFiles(folder, [])
  return {
    project: reading && folder !== undefined ? { ...reading, writing: createWriting(folder) } : undefined,
    web: pages && createWeb(pages, sent),
    state: () => ({ files: folder === undefined ? {} : readFiles(folder), sent }),
    async close() {
      await reading?.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createWeb(pages: Readonly<Record<string, EvalPage>>, sent: string[]): WebHost {
  return {
    async search(query, most) {
      sent.push(query)
      const results = Object.entries(pages).map(([url, { title, text }]) => ({ title, url, content: text, score: 1 }))
      return { ok: true, results: results.slice(0, most), total: results.length }
    },
    async readPage(url) {
      sent.push(url)
      const page = Object.hasOwn(pages, url) ? pages[url] : undefined
      if (page) return { ok: true, page: { url, ...page } }
      return failure('unavailable', 'The page answered 404.', 'Go on without it, and say so.')
    },
  }
}

/** A person approves every change at once, as the toolbox of the case does. */
function createWriting(folder: string): NonNullable<ProjectHost['writing']> {
  const changes = new Map<string, FileChange>()
  return {
    async propose(call, change): Promise<FileOutcome> {
      changes.set(call, change)
      return { ok: true, path: change.path }
    },
    async write(call, content): Promise<FileOutcome> {
      const path = changes.get(call)?.path ?? ''
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
      return { ok: true, path }
    },
  }
}

function writeFiles(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-eval-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}
