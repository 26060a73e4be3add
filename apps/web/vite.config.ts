import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { compiledMessages } from './compiled-messages.ts'
import { chunkGroups } from './chunk-groups.ts'
import { documentHtml } from './document-html.ts'

const server = 'http://127.0.0.1:3000'

// A third of Zod writes JSON Schema, which only the server does. Its schemas name these functions and never call them
// here.
const jsonSchema = /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/

function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    load(id) {
      if (!jsonSchema.test(id)) return null
      const source = readFileSync(id, 'utf8')
      const named = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      const renamed = [...source.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map(([, name]) => name)
      return [...named, ...renamed].map((name) => `export function ${name}() {}`).join('\n')
    },
  }
}

/**
 * Build and development server of the browser app. Everything is a file of its own: the page runs under a strict CSP.
 */
export default defineConfig({
  plugins: [compiledMessages(), react(), tailwindcss(), withoutJsonSchema(), documentHtml()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    // The editor with Yjs is one part of that size, loaded when a document is opened.
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  server: {
    proxy: {
      '/api': { target: server },
      '/collab': { target: server, ws: true },
    },
  },
})
