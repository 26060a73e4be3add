import { test } from 'vitest'
import * as Y from 'yjs'
import { isComplete } from '../../apps/server/src/collaboration/causality.ts'
import { DocumentHead } from '../../apps/server/src/collaboration/document-head.ts'
import { baseDocument, findMutants } from './mutants.ts'
test('x', { timeout: 100000 }, () => {
  const state = Y.encodeStateAsUpdate(baseDocument())
  for (const seed of [8958, 1, 2]) {
    const found = findMutants(seed, 30000, state)
    const by: Record<string, number> = {}
    for (const m of found) {
      const doc = new Y.Doc(); Y.applyUpdate(doc, state)
      let complete = 'throws'
      try { complete = String(isComplete(m.bytes, doc)) } catch {}
      let err = ''
      if (m.fate === 'throws') { try { Y.applyUpdate(doc, m.bytes) } catch (e) { err = String(e).slice(0, 80) } }
      const h = new DocumentHead(state); const k = h.try(m.bytes, false).kind
      const key = `${m.fate} complete=${complete} head=${k} ${err}`
      by[key] = (by[key] ?? 0) + 1
      if (m.fate === 'throws' && complete === 'true' && by[key]! < 3) console.log(Buffer.from(m.bytes).toString('hex'))
    }
    console.log(seed, found.length, by)
  }
})
