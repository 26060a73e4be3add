import { success, type ToolResult } from '../result.ts'
import type { Range } from './changed-ranges.ts'
import type { CommitContext, Planner } from './commit.ts'
import { type LiveBase, LiveCall } from './live-call.ts'
import type { ToolCallContext } from './session-options.ts'

/**
 * The calls of a session that the model is still writing. While one of them is being carried out, by its tool's own handler, the
 * session shows the document as it was when that call began, and `commit` goes to the call instead of to the document.
 */
export type LiveCalls = {
  /** What the session shows while a live call is being carried out. */
  base(): LiveBase | undefined
  /** Takes the commit of the live call that is being carried out; `undefined` if it is none of its. */
  commit(call: ToolCallContext, planner: Planner): ToolResult | undefined
  /** Carries a call out as far as it is written. `run` must commit before it awaits anything, or it is not shown. */
  write(call: ToolCallContext, run: () => unknown): void
  /**
   * Carries out the complete call and answers its result; `undefined` if the call isn't live, or can't be settled on what was shown:
   * then everything is taken back, and the call is to be made like any other.
   */
  settle(callId: string, run: () => ToolResult | Promise<ToolResult>): Promise<ToolResult | undefined>
  /** Takes back what was shown of a call that will not be made. */
  takeBack(callId: string): void
}

type Active = { callId: string; live: LiveCall; stage: 'writing' | 'settling'; isSettled: boolean }

const notYet = success('', '')

/** The live calls of one session. */
export function createLiveCalls(context: CommitContext, selection: () => Range | undefined): LiveCalls {
  const lives = new Map<string, LiveCall>()
  let active: Active | undefined
  return {
    base: () => active?.live.base,
    commit({ callId }, planner) {
      if (active?.callId !== callId) return undefined
      if (active.stage === 'writing') {
        active.live.write(planner)
        return notYet
      }
      const result = active.live.settle(planner)
      active.isSettled = result !== undefined
      return result ?? notYet
    },
    write(call, run) {
      const live = lives.get(call.callId) ?? new LiveCall(call, context, selection)
      lives.set(call.callId, live)
      active = { callId: call.callId, live, stage: 'writing', isSettled: false }
      try {
        run()
      } finally {
        active = undefined
      }
    },
    async settle(callId, run) {
      const live = lives.get(callId)
      lives.delete(callId)
      if (!live) return undefined
      const settling: Active = { callId, live, stage: 'settling', isSettled: false }
      active = settling
      try {
        const result = await run()
        return settling.isSettled ? result : undefined
      } finally {
        active = undefined
        // What has been settled has nothing to take back.
        live.takeBack()
      }
    },
    takeBack(callId) {
      lives.get(callId)?.takeBack()
      lives.delete(callId)
    },
  }
}
