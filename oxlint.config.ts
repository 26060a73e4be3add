import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type OxlintOverride } from 'oxlint'

/** Who may import whom, by folder; the shape of the whole project (see AGENTS.md, "Allowed imports"). */
const arrows: Record<string, readonly string[]> = {
  'apps/web': ['schema', 'protocol', 'agent-panel'],
  'apps/server': ['schema', 'protocol', 'agent', 'builtin-agent', 'tools'],
  'packages/tools': ['schema'],
  'packages/agent': [],
  'packages/builtin-agent': ['agent'],
  'packages/agent-panel': [],
  'packages/editor-bridge': ['schema', 'tools'],
  'packages/schema': [],
  'packages/protocol': [],
  'packages/testing': [],
  scripts: [],
  examples: ['agent-panel', 'editor-bridge', 'schema', 'tools'],
  // The index of a project's symbols is measured by itself.
  bench: ['server', 'schema', 'protocol', 'agent', 'builtin-agent', 'tools', 'testing'],
  // The server's prompt is what the eval measures.
  eval: ['server', 'schema', 'protocol', 'agent', 'builtin-agent', 'tools', 'testing'],
}

const ours = [
  'web',
  'server',
  'schema',
  'protocol',
  'agent',
  'agent-panel',
  'builtin-agent',
  'editor-bridge',
  'tools',
  'testing',
  'tests',
  'bench',
  'eval',
  'examples',
]

/**
 * The folders of a part's sources, lowest first: each imports only folders before it (see AGENTS.md). Files directly in
 * the source folder assemble the part: they import every folder, and no folder imports them. The same holds for folders
 * inside a folder.
 */
const layers: Record<string, readonly string[]> = {
  'apps/server/src': [
    'common',
    'threads',
    'web',
    'store',
    'provenance',
    'quotas',
    'audit',
    'webhooks',
    'tool-servers',
    'models',
    'mail',
    'auth',
    'rights',
    'budgets',
    'documents',
    'room',
    'collaboration',
    'events',
    'notifications',
    'agents',
    'runs',
    'review',
    'triggers',
    'history',
    'authorship',
    'versions',
    'images',
    'trash',
    'project',
    'file-changes',
    'agent-settings',
    'agent',
    'mcp',
    'services',
    'api',
    'testing',
  ],
  'packages/tools/src': [
    'common',
    'document',
    'text',
    'render',
    'session',
    'edit',
    'review',
    'tool',
    'context',
    'catalogue',
    'calls',
    'headless',
    'testing',
  ],
  'packages/tools/src/session': ['numbers', 'write', 'host', 'egress', 'commit', 'live'],
  'packages/tools/src/edit': ['content', 'blocks', 'tables', 'find', 'format', 'text', 'structure'],
  'packages/tools/src/catalogue': ['reading', 'changing', 'structure', 'reviewing', 'showing', 'outside', 'project'],
  'packages/agent-panel/src': [
    'language',
    'common',
    'markdown',
    'chat',
    'steps',
    'approvals',
    'messages',
    'composer',
    'chats',
  ],
  'apps/server/src/collaboration': ['limits', 'admission', 'document', 'connection'],
  'apps/server/src/agent': ['session'],
  'apps/server/src/api': ['requests', 'accounts', 'operators', 'documents'],
  'apps/web/src': [
    'styles',
    'i18n',
    'common',
    'api',
    'ui',
    'collaboration',
    'sign-in',
    'account',
    'administration',
    'sharing',
    'notifications',
    'documents',
    'side-bar',
    'editor',
    'mentions',
    'chat',
    'review',
    'history',
    'authorship',
    'document',
    'palette',
    'app',
  ],
  'apps/web/src/editor': [
    'common',
    'agent-edits',
    'toolbar',
    'links',
    'typing',
    'images',
    'code',
    'math',
    'selection',
    'blocks',
    'limits',
    'tables',
    'paste',
    'files',
    'find',
    'slash',
    'suggesting',
    'outline',
    'peers',
  ],
  'apps/web/src/editor/tables': ['layout', 'lines', 'cells'],
  'apps/web/src/chat': ['conversations', 'runs', 'files'],
  'apps/web/src/review': ['text', 'changes', 'threads', 'selection', 'margin'],
  'apps/web/src/documents': ['data', 'folders', 'import', 'kept', 'rows'],
  'apps/web/src/document': ['title', 'print', 'editor', 'split', 'commands', 'header', 'runs'],
}

type Pattern = { regex: string; message: string }

// An override of a rule replaces earlier ones for the same file, so that each states all of its patterns.
function restrictImports(files: string[], patterns: readonly Pattern[]): OxlintOverride {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [...patterns] }] } }
}

/**
 * Forbids, in one folder, every part of ours without an arrow, by its name and by a path out of the folder. `more` has
 * arrows that only some files have.
 */
function arrowsOf(folder: string, more: readonly string[] = []): Pattern[] {
  const allowed = [...(arrows[folder] ?? []), ...more]
  const own = folder.split('/').at(-1) ?? folder
  const forbidden = ours.filter((part) => part !== own && !allowed.includes(part)).join('|')
  const message = `${folder} may import ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')} (AGENTS.md, "Allowed imports").`
  return [
    { regex: `^@copydesk/(${forbidden})(/|$)`, message },
    { regex: '^(\\.\\./)+(apps|packages|tests|bench|eval)/', message },
    { regex: `^(\\.\\./)+(${ours.join('|')})/(src|package\\.json)`, message },
  ]
}

/**
 * Forbids, in each folder of a part's sources, imports of higher folders and of the files that assemble the part. Test
 * files may import everything of their part.
 * @throws for a folder that has no place in an order.
 */
function layersOf(source: string): OxlintOverride[] {
  const app = source.replace(/\/src$/, '')
  const files = readdirSync(join(import.meta.dirname, source), { recursive: true, encoding: 'utf8' })
  const folders = new Set(files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(source, dirname(file))))
  return [
    ...[...folders].map((folder) =>
      restrictImports([`${folder}/*.{ts,tsx}`], [...arrowsOf(app), ...higherThan(folder)]),
    ),
    restrictImports(testFiles(source), arrowsOf(app, ['testing'])),
  ]
}

/** The tests of a folder and their helpers; no other file of a product may import the test helpers of all packages. */
function testFiles(folder: string): string[] {
  return [`${folder}/**/*.test.{ts,tsx}`, `${folder}/**/testing/**/*.{ts,tsx}`]
}

/** The imports that `folder` may not have, by the orders of all folders that contain it. */
function higherThan(folder: string): Pattern[] {
  return Object.entries(layers).flatMap(([source, order]) => {
    if (!folder.startsWith(`${source}/`)) return []
    const path = folder.slice(source.length + 1).split('/')
    const own = path[0] ?? ''
    // Test helpers start whole servers; they are last in the order, so that no other folder imports them.
    if (own === 'testing') return []
    if (!order.includes(own))
      throw new Error(`${source}/${own} has no place in the order of folders in oxlint.config.ts`)
    const up = '\\.\\./'.repeat(path.length)
    const higher = order.slice(order.indexOf(own) + 1)
    const message = `${own} may import only the folders before it in the order of ${source} (AGENTS.md, "Allowed imports").`
    return [
      { regex: `^${up}[^/.]+\\.`, message },
      ...(higher.length > 0 ? [{ regex: `^${up}(${higher.join('|')})/`, message }] : []),
    ]
  })
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'react', 'promise', 'vitest'],
  jsPlugins: ['./scripts/lint.config.ts'],
  categories: { correctness: 'error', suspicious: 'off', perf: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['**/dist/**', '**/node_modules/**', 'tests/fixtures/**', 'data/**', 'test-results/**'],
  rules: {
    'copydesk/comment-width': 'error',
    'copydesk/no-export-all': 'error',
    'copydesk/no-own-import-type': 'error',
    'no-control-regex': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-misused-spread': ['error', { allow: [{ from: 'lib', name: 'string' }] }],
    // Stores here are object literals; their functions don't use `this`.
    'typescript/unbound-method': 'off',
    'react/set-state-in-effect': 'off',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
  },
  overrides: [
    ...Object.keys(arrows).flatMap((folder) => [
      restrictImports([`${folder}/**/*.{ts,tsx}`], arrowsOf(folder)),
      restrictImports(testFiles(folder), arrowsOf(folder, ['testing'])),
    ]),
    ...layersOf('apps/server/src'),
    ...layersOf('apps/web/src'),
    ...layersOf('packages/tools/src'),
    ...layersOf('packages/agent-panel/src'),
    {
      files: ['apps/web/src/**/*.{ts,tsx}'],
      rules: { 'copydesk/translated-text': 'error' },
    },
    {
      files: ['apps/web/src/**/*.test.{ts,tsx}'],
      rules: { 'copydesk/translated-text': 'off' },
    },
    {
      // Playwright asks for one, too.
      files: ['**/*.config.ts', 'tests/browser/before-all-tests.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['tests/**', 'bench/**', '**/*.test.{ts,tsx}', '**/*.spec.ts'],
      rules: {
        'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
        'max-lines-per-function': 'off',
        'typescript/no-non-null-assertion': 'off',
        // The second argument of Vitest's expect is the message; helpers that expect start with that word.
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
        'vitest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'until'] }],
        'vitest/no-conditional-expect': 'off',
        // Yjs types print their content, which its declarations don't tell.
        'typescript/no-base-to-string': 'off',
      },
    },
  ],
})
