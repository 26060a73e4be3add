import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(js|css|html)$/

// A smaller file fits into one packet anyway.
const atLeast = 1400

// The next level takes four times as long for 2 %.
const quality = 9

/** Writes `.br` and `.gz` beside each script, style sheet and page in `folder` and below it, for the server to send. */
export async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => compressible.test(name))
  const compressOne = async (name: string): Promise<void> => {
    const content = readFileSync(join(folder, name))
    if (content.byteLength < atLeast) return
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      promisify(gzip)(content, { level: quality }),
    ])
    writeFileSync(join(folder, `${name}.br`), br)
    writeFileSync(join(folder, `${name}.gz`), gz)
  }
  await Promise.all(files.map(compressOne))
}
