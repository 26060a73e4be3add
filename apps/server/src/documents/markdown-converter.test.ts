import { afterAll, expect, test } from 'vitest'
import { MarkdownConverter } from './markdown-converter.ts'

const converter = new MarkdownConverter()
afterAll(() => converter.close())

test('[BAD-66] more markdown than a document may have is refused by what it is, not by the time that it took', async () => {
  const seed = converter.seed('- a\n'.repeat(200_000), undefined)
  await expect(seed).rejects.toMatchObject({ code: 'too_large', hint: 'Split it into several documents.' })
})

test('[BAD-66] a text of 50,000 tabs, and 32,000 words, are read and written', async () => {
  const section = `## Head\n\n${'the quick **brown** fox jumps over the [lazy](https://example.org) dog. '.repeat(20)}\n\n- one\n  - two\n\n`
  for (const markdown of [`x${'\t'.repeat(50_000)}x`, section.repeat(200)]) {
    const { update, summary } = await converter.seed(markdown, 'Title')
    expect(summary.text.length).toBeGreaterThan(markdown.length / 3)
    const written = await converter.render([update], 'markdown', 'original')
    expect(written.length).toBeGreaterThan(markdown.length / 2)
  }
})
