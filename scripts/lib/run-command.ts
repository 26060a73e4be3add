import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './paths.ts'

/** How a command is run: its folder (default: the root) and variables on top of the present ones. */
export type CommandOptions = { cwd?: string; env?: Record<string, string> }

/** How a captured command ended: exit code, everything it printed (both streams, in order), milliseconds it took. */
export type CommandResult = { code: number; output: string; ms: number }

/**
 * For the TypeScript compiler, and for what has it inside. It is written in Go and ends before most of its garbage is
 * worth collecting.
 */
export const compilerEnvironment = { GOGC: '400', GOMEMLIMIT: '3GiB' }

// Set in children, so that tools of this project are found when a script was started without pnpm.
const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter)

/**
 * Runs a command and keeps what it prints. Never rejects: a command that can't be started ends with code 127 and the
 * reason as its output.
 */
export function captureCommand(command: string, args: readonly string[], options: CommandOptions = {}) {
  const started = performance.now()
  return new Promise<CommandResult>((resolve) => {
    let output = ''
    const end = (code: number) => resolve({ code, output, ms: performance.now() - started })
    const child = spawn(command, args, { ...spawnOptions(options), stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`
      end(127)
    })
    child.on('close', (code, signal) => end(exitCode(code, signal)))
  })
}

/**
 * Runs a command on this terminal and answers its exit code (128 + number after a signal, 127 if it can't be started).
 * While it runs, SIGINT and SIGTERM go to it instead of ending this process.
 */
export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}) {
  return new Promise<number>((resolve) => {
    const child = spawn(command, args, { ...spawnOptions(options), stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals) => child.kill(signal)
    const end = (code: number) => {
      process.off('SIGINT', forward).off('SIGTERM', forward)
      resolve(code)
    }
    process.on('SIGINT', forward).on('SIGTERM', forward)
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      end(127)
    })
    child.on('exit', (code, signal) => end(exitCode(code, signal)))
  })
}

function spawnOptions({ cwd = root, env = {} }: CommandOptions) {
  return { cwd, env: { ...process.env, PATH: path, ...env } }
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
