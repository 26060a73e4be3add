import { signIn, type TestPerson } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { heldMemoryOf, inspected, usedMemoryOf } from '../support/heap.ts'
import type { BuildCalls } from './build-thread.ts'
import type { OpenCalls, Opened } from './open-thread.ts'
import { type CallableThread, startThread } from './thread-calls.ts'
import type { ProbeTimes, ProbeCalls } from './probe-thread.ts'

/**
 * A server, a client that types into its own document, a client that opens documents, and a thread that makes inputs.
 */
export type HostileScene = {
  readonly server: Copydesk
  readonly person: TestPerson
  /** Makes inputs; none where the inputs come from elsewhere. */
  readonly builder: CallableThread<BuildCalls>
  /** From here on the bystander's keys and the server's health are looked at. */
  begin(): Promise<void>
  end(): Promise<ProbeTimes>
  /** Opens a document as a third person. */
  open(id: string, limitMs: number): Promise<Opened>
  /** What a third person's client has, in the form of the export as JSON. */
  read(id: string): Promise<string>
  /** Bytes that the server's main thread holds after a collection. */
  memory(): Promise<number>
  /**
   * What it held after the last collection, which costs more than a small input. Collects again once much was allocated
   * since.
   */
  memoryBefore(): Promise<number>
  /** What it uses, garbage included, if that is at most `limit` bytes: then it holds no more. Else what it holds. */
  memoryWithin(limit: number): Promise<number>
  /**
   * Ends the server as a power cut would, and starts it again; the bystander goes on. Answers whether all of the
   * bystander's text was there.
   */
  restart(): Promise<boolean>
  close(): Promise<void>
}

// What an input may hold less than it is allowed, since others may have left it.
const unclearBytes = 32 * 1024 * 1024

/**
 * Opens a scene. The load comes from this process, the bystander and the reader are threads of it, the server is a
 * process of its own.
 */
export async function openHostileScene(env: Record<string, string> = {}): Promise<HostileScene> {
  const server = await startCopydesk({ ...inspected, ...env })
  const { url } = server
  const [person, reader] = [await signIn(url, 'Ana'), await signIn(url, 'Cleo')]
  const { id: own } = await person.create({ markdown: 'Bystander' })
  const [builder, opener, probe] = await Promise.all([
    startThread<BuildCalls>(new URL('./build-thread.ts', import.meta.url)),
    startThread<OpenCalls>(new URL('./open-thread.ts', import.meta.url)),
    startThread<ProbeCalls>(new URL('./probe-thread.ts', import.meta.url)),
  ])
  const watch = (): Promise<void> => probe.ask('start', { url, token: person.token, id: own, pid: server.pid })
  const open = (id: string, limitMs: number): Promise<Opened> =>
    opener.ask('open', { url, pid: server.pid, token: reader.token, id, limitMs })
  let lastMemory: number | undefined
  const memory = async (): Promise<number> => (lastMemory = await heldMemoryOf(server))
  await watch()
  return {
    server,
    person,
    builder,
    begin: () => probe.ask('begin'),
    end: () => probe.ask('end'),
    open,
    read: (id) => opener.ask('read', { url, pid: server.pid, token: reader.token, id, limitMs: 20_000 }),
    memory,
    async memoryBefore() {
      const isClear = lastMemory !== undefined && (await usedMemoryOf(server)) - lastMemory <= unclearBytes
      return isClear && lastMemory !== undefined ? lastMemory : memory()
    },
    async memoryWithin(limit) {
      const used = await usedMemoryOf(server)
      return used <= limit ? used : memory()
    },
    async restart() {
      const acknowledged = await probe.ask('stop')
      await server.restart()
      lastMemory = undefined
      const { shown } = await open(own, 20_000)
      await watch()
      return shown.includes(acknowledged)
    },
    async close() {
      await probe.ask('stop').catch(() => undefined)
      await Promise.all([builder.close(), opener.close(), probe.close()])
      await server.dispose()
    },
  }
}
