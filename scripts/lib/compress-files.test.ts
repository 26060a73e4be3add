import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressFiles } from './compress-files.ts'

test('[LAYOUT-12] scripts and pages of a build are there compressed, small files and fonts are not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'compress-files-'))
  try {
    mkdirSync(join(folder, 'assets'))
    const long = 'text '.repeat(1000)
    for (const [name, text] of Object.entries({ 'index.html': long, 'assets/a.js': long, 'assets/b.woff2': long }))
      writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, 'assets/c.js'), 'short')
    await compressFiles(folder)
    expect(readdirSync(join(folder, 'assets')).toSorted()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'b.woff2', 'c.js'])
    expect(brotliDecompressSync(readFileSync(join(folder, 'assets/a.js.br'))).toString()).toBe(long)
    expect(gunzipSync(readFileSync(join(folder, 'index.html.gz'))).toString()).toBe(long)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
