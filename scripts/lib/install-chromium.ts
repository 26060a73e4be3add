import { existsSync } from 'node:fs'
import { findChromium } from './find-chromium.ts'
import { runCommand } from './run-command.ts'

/**
 * Answers the path of a Chromium, installing Debian's first where there is none and this process may (root, `apt-get`);
 * undefined if none can be installed.
 */
export async function ensureChromium(): Promise<string | undefined> {
  const found = findChromium()
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found
  console.log('No Chromium found: installing the distribution’s with apt-get')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await runCommand('apt-get', ['update', '-q'], { env })
  if (updated !== 0) return undefined
  // Another program may be installing at the same moment. Older releases have no package of the headless shell.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const installed = await runCommand(
      'apt-get',
      ['install', '-y', '-q', '-o', 'DPkg::Lock::Timeout=300', '--no-install-recommends', name],
      { env },
    )
    if (installed === 0) break
  }
  return findChromium()
}
