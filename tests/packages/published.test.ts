import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { buildPackages, packPackages, publishedPackages } from '../../scripts/lib/build-packages.ts'
import { root } from '../../scripts/lib/paths.ts'
import { captureCommand, compilerEnvironment } from '../../scripts/lib/run-command.ts'
import { makeTemporaryFolder } from '../../scripts/lib/temporary-folder.ts'
import {
  findNode,
  firstExample,
  installConsumer,
  installNode,
  isOffline,
  publishedEntries,
  writeFiles,
} from './consumer.ts'

const inCi = !['', '0', 'false'].includes(process.env['CI'] ?? '')
const folder = makeTemporaryFolder('copydesk-packages-')
const project = join(folder, 'project')

/** Why nothing could be installed; undefined once the project is ready. */
let missing: string | undefined = 'nothing is installed'

beforeAll(async () => {
  await buildPackages()
  const tarballs = await packPackages(join(folder, 'tarballs'))
  const installed = await installConsumer(project, tarballs)
  if (installed.code === 0) missing = undefined
  else if (isOffline(installed.output) && !inCi) missing = 'npm cannot reach its registry'
  else throw new Error(`npm install failed:\n${installed.output}`)
  writeFiles(project, consumerFiles())
}, 600_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Skips a test with a warning while there is no installed project. */
function skipWithoutProject(context: TestContext): void {
  if (missing !== undefined) skip(context, missing)
}

function skip(context: TestContext, reason: string): never {
  console.warn(`NOT RUN: ${context.task.name} (${reason})`)
  return context.skip(reason)
}

/** Runs a command in the project and answers what it printed. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const { code, output } = await captureCommand(command, args, { cwd: project })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** A program that imports every entry and prints how much each exports. */
const importAll = `
for (const entry of ${JSON.stringify(publishedEntries)}) {
  const exported = await import(entry)
  console.log(entry, Object.keys(exported).length)
}`

const render = `
import { AgentPanel, MarkdownView } from '@copydesk/agent-panel'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const person = { id: 'ada', name: 'Ada', kind: 'person' }
const agent = { id: 'agent', name: 'Assistant', kind: 'agent' }
const messages = [
  { id: 'a', author: person, text: 'Is the plan <b>ready</b>?', at: '2026-01-02T03:04:05Z' },
  { id: 'b', author: agent, text: 'It is **ready**.', run: { tone: 'good', label: 'Done' } },
]
const steps = [{ id: 's', messageId: 'b', title: 'Read the plan', status: 'done' }]
const given = { agentName: 'Assistant', isOpen: true, onSend() {} }
console.log(renderToString(createElement(AgentPanel, { ...given, messages, steps })))
const called = [messages[0], { type: 'tool_call', id: 'c', name: 'read_document', input: {} }, { type: 'tool_result', callId: 'c', ok: true, summary: 'Read it all', text: '' }]
console.log(renderToString(createElement(AgentPanel, { isOpen: true, onSend() {}, messages: called })))
const waiting = [{ id: 'w', messageId: 'b', title: 'Replace a word', status: 'waiting', text: 'now', proposal: [{ before: 'then', after: 'now' }] }]
console.log(renderToString(createElement(AgentPanel, { ...given, messages, steps: waiting, onDecide() {} })))
console.log(renderToString(createElement(AgentPanel, { ...given, messages: [], isBusy: true, streamingText: 'It', frame: 'bare' })))
console.log(renderToString(createElement(MarkdownView, { text: '- one' })))
`

const page = `
import { createRoot } from 'react-dom/client'
import { Chat } from './readme-agent-panel.js'

const place = document.getElementById('app')
if (place) createRoot(place).render(<Chat />)
`

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  jsx: 'react-jsx',
  strict: true,
  skipLibCheck: false,
  types: ['node'],
  rootDir: 'src',
  outDir: 'out',
}

function consumerFiles(): Record<string, string> {
  const examples = publishedPackages.map((name) => {
    const { code, extension } = firstExample(name)
    return [`src/readme-${name}.${extension}`, code]
  })
  return {
    ...(Object.fromEntries(examples) as Record<string, string>),
    'import-all.mjs': importAll,
    'render.mjs': render,
    'src/page.tsx': page,
    'index.html': '<div id="app"></div><script type="module" src="/src/page.tsx"></script>',
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  }
}

describe('published packages', () => {
  test('have one version, a licence, types and nothing but built files', async () => {
    const tarballs = globSync('*.tgz', { cwd: join(folder, 'tarballs') })
    expect(tarballs).toHaveLength(publishedPackages.length)
    for (const tarball of tarballs) {
      const { output } = await captureCommand('tar', ['-tzf', join(folder, 'tarballs', tarball)])
      const files = output.trim().split('\n')
      expect(files).toEqual(
        expect.arrayContaining([
          'package/LICENSE',
          'package/README.md',
          'package/dist/index.js',
          'package/dist/index.d.ts',
        ]),
      )
      const kinds = /^package\/(?:LICENSE|README\.md|package\.json|dist\/.*(?<!\.test)\.(?:js|d\.ts|css))$/
      expect(files.filter((file) => !kinds.test(file))).toEqual([])
    }
  })

  test('have manifests that npm understands', async (context) => {
    skipWithoutProject(context)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    for (const name of publishedPackages) {
      const text = readFileSync(join(project, 'node_modules/@copydesk', name, 'package.json'), 'utf8')
      expect(JSON.parse(text)).toMatchObject({ version, license: 'MIT', type: 'module', engines: { node: '>=20' } })
      expect(text).not.toMatch(/"(?:catalog|workspace):|"private"|\/src\//)
    }
  })

  // Compiled once: the examples run from what it wrote.
  test('type-check in a strict consumer with module nodenext, and their first examples run', async (context) => {
    skipWithoutProject(context)
    const { output } = await captureCommand('tsc', ['--pretty', 'false'], { cwd: project, env: compilerEnvironment })
    const errors = output.split('\n').filter((line) => line.includes('error TS'))
    // Libraries are checked too. The declarations of y-prosemirror don't fit `nodenext`, which is not this project's
    // fault.
    expect(errors.filter((line) => !line.startsWith('node_modules/y-prosemirror/'))).toEqual([])
    const node = await findNode(20)
    const programs = publishedPackages.filter((name) => firstExample(name).extension === 'ts')
    expect(programs).toHaveLength(5)
    await Promise.all(
      programs.map(async (name) => {
        const printed = await run(node ?? process.execPath, [`out/readme-${name}.js`])
        const promised = [...firstExample(name).code.matchAll(/\/\/ prints (.*)$/gm)].map(([, text]) => text ?? '')
        expect(promised, name).not.toEqual([])
        for (const text of promised) expect(printed).toContain(text)
      }),
    )
    if (node === undefined) console.warn(`${context.task.name}: there is no Node 20, so this ran in ${process.version}`)
  })

  test.for([20, 24])('import in Node %i', async (major, context) => {
    skipWithoutProject(context)
    const installed = join(folder, `node-${major}`)
    const node = (await findNode(major)) ?? (inCi ? await installNode(major, installed) : undefined)
    if (node === undefined) skip(context, `there is no Node ${major}`)
    const printed = await run(node, ['import-all.mjs'])
    for (const entry of publishedEntries) expect(printed).toMatch(new RegExp(`^${entry} [1-9]`, 'm'))
  })

  test('a panel is built by Vite, with its styles', async (context) => {
    skipWithoutProject(context)
    await run('vite', ['build', '--logLevel', 'warn'])
    const built = globSync('dist/assets/*', { cwd: project })
    const text = (extension: string): string =>
      built
        .filter((file) => file.endsWith(extension))
        .map((file) => readFileSync(join(project, file), 'utf8'))
        .join('\n')
    expect(text('.css')).toContain('.ap-panel')
    expect(text('.js')).toContain('ap-panel')
  })

  test('the panel is rendered on a server, with its messages', async (context) => {
    skipWithoutProject(context)
    const html = await run(process.execPath, ['render.mjs'])
    expect(html).toContain('Is the plan &lt;b&gt;ready&lt;/b&gt;?')
    expect(html).toContain('<strong>ready</strong>')
    expect(html).toContain('Read the plan')
    expect(html).toContain('Replace a word')
    expect(html).toContain('Read it all')
    expect(html).toContain('<li>')
  })
})
