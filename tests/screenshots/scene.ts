import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

/** What is written in the document of all pictures. Its heading is the title of the document. */
export const title = 'Harbour library: a plan for the reading room'

export const markdown = `# ${title}

The reading room opens at eight and is full by nine. People bring thier own lamps because the ceiling lights are to dim to read by, and the window seats are taken within minutes.

## What we heard

- Students want quiet tables with power, not more sofas.
- Parents ask for a corner where talking is allowed.
- Nobody mentioned the new chairs.

| Month | Visitors | Lamps lent |
| - | - | - |
| September | 1,204 | 86 |
| October | 11,998 | 311 |

## What we propose

- [x] Measure the light at every table
- [ ] Move the periodicals to the gallery
- [ ] Try a talking corner for one month

> A library is a room that lets strangers think side by side.
`

const pause = new Promise<void>((resolve) => setTimeout(resolve, 600_000).unref())

const script: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('typos')) {
    const fix = (find: string, replace: string) => ({
      toolCall: { name: 'edit_document', arguments: { find, replace } },
    })
    if (results.length === 0)
      return { chunks: [{ toolCall: { name: 'read_document', arguments: { from: 0, to: 3 } } }] }
    if (results.length === 1) return { chunks: [fix('thier', 'their'), fix('to dim', 'too dim')] }
    return '- thier → their\n- to dim → too dim'
  }
  if (results.length === 0) {
    const content = 'The staff asked for a lamp library: thirty lamps to borrow at the desk, returned by closing time.'
    const position = { type: 'relative', anchor: 'Nobody mentioned the new chairs.', placement: 'after' }
    return { chunks: [{ toolCall: { name: 'insert_text', arguments: { position, content, as: 'block' } } }] }
  }
  return {
    chunks: [
      { text: 'I added what the staff asked for under **What we heard**. Looking at the proposals next' },
      { until: pause },
    ],
  }
}

/** A server whose model plays this scene: it fixes the typos, and is at work on every other request for ten minutes. */
export async function startScene(env: Record<string, string> = {}): Promise<Copydesk> {
  const model = await createModelServer({ provider: 'openai', script })
  const server = await startCopydesk({ ...model.environment, ...env })
  return {
    ...server,
    get pid() {
      return server.pid
    },
    async dispose() {
      await server.dispose()
      await model.close()
    },
  }
}
