import { defineConfig, type OxlintOverride } from 'oxlint'

/** Who may import whom, by folder; the shape of the whole project (see AGENTS.md, "Arrows"). */
const arrows: Record<string, readonly string[]> = {
  'apps/web': ['schema', 'protocol', 'agent-panel'],
  'apps/server': ['schema', 'protocol', 'agent', 'tools'],
  'packages/tools': ['schema'],
  'packages/agent': [],
  'packages/agent-panel': [],
  'packages/schema': [],
  'packages/protocol': [],
  scripts: [],
  examples: ['agent-panel', 'tools'],
  bench: ['schema', 'protocol', 'agent', 'tools'],
  eval: ['schema', 'protocol', 'agent', 'tools'],
}

const ours = [
  'web',
  'server',
  'schema',
  'protocol',
  'agent',
  'agent-panel',
  'tools',
  'tests',
  'bench',
  'eval',
  'examples',
]

/** Forbids, in one folder, every part of ours without an arrow, by its name and by a path out of the folder. */
function arrowsOf(folder: string, allowed: readonly string[]): OxlintOverride {
  const own = folder.split('/').at(-1) ?? folder
  const forbidden = ours.filter((part) => part !== own && !allowed.includes(part)).join('|')
  const message = `${folder} may import ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')} (AGENTS.md, "Arrows").`
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: `^@copydesk/(${forbidden})(/|$)`, message },
            { regex: '^(\\.\\./)+(apps|packages|tests|bench|eval)/', message },
            { regex: `^(\\.\\./)+(${ours.join('|')})/(src|package\\.json)`, message },
          ],
        },
      ],
    },
  }
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'react', 'promise', 'vitest'],
  jsPlugins: ['./scripts/lint.config.ts'],
  categories: { correctness: 'error', suspicious: 'off', perf: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['**/dist/**', '**/node_modules/**', 'tests/fixtures/**', 'data/**', 'test-results/**'],
  rules: {
    'copydesk/no-export-all': 'error',
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
    ...Object.entries(arrows).map(([folder, allowed]) => arrowsOf(folder, allowed)),
    {
      files: ['**/*.config.ts'],
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
