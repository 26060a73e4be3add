import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogue } from '../catalogue/index.ts'
import { defineTool } from './define-tool.ts'
import { localizable } from '../common/localizable.ts'
import { success } from '../common/result.ts'
import { describeTools } from './tool-docs.ts'

const page = fileURLToPath(new URL('../../../../docs/tools.md', import.meta.url))

test('docs/tools.md is what the catalogue says; pnpm docs:tools writes it', async () => {
  await expect(describeTools(catalogue)).toMatchFileSnapshot(page)
})

test('every tool is on the page with each of its fields', () => {
  const text = describeTools(catalogue)
  for (const tool of catalogue) {
    const start = text.indexOf(`\n## ${tool.name}\n`)
    expect(start, tool.name).toBeGreaterThan(0)
    const part = text.slice(start, text.indexOf('\n## ', start + 4))
    expect(part.replaceAll('\\', '')).toContain(tool.description)
    for (const field of Object.keys(tool.input.shape)) expect(part, tool.name).toContain(`- \`${field}\` (`)
  }
})

test('fields are listed with their types, whether they are required, and their content', () => {
  const tool = defineTool({
    name: 'draw_line',
    description: 'Draws a line.',
    input: z.object({
      width: z.number().int().min(1).max(9),
      ends: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('point'), at: z.number().describe('Where it is.') }).describe('A point.'),
          z.object({ type: z.literal('none') }),
        ])
        .optional(),
      color: z.enum(['red', 'blue']).optional().describe('red by default.'),
    }),
    changes: false,
    activity: localizable`Drawing…`,
    handler: () => success('', ''),
  })
  const text = describeTools([tool])
  expect(text).toContain(`
- \`width\` (\`integer from 1 to 9\`, required)
- \`ends\` (one of these objects)
  - \`{type: 'point', at: number}\`: A point.
    - \`at\`: Where it is.
  - \`{type: 'none'}\`
- \`color\` (\`'red' | 'blue'\`): red by default.
`)
})
