import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { success, type ToolResult } from '../../common/result.ts'
import type { Selected } from '../host/caret.ts'
import type { CommitContext, Planner } from '../commit/commit.ts'
import { type LiveBase, LiveCall } from './live-call.ts'
import type { ToolCallContext } from '../host/session-options.ts'

/**
 * The calls of a session that the model is still writing. While the tool's handler executes such a call, the session
 * shows the document as it was when the call began, and `commit` goes to the call instead of the document.
 */
export type LiveCalls = {
  /** The document that the session shows while a live call is executed. */
  base(): LiveBase | undefined
  /** Handles the commit of the live call in execution; `undefined` if `call` is another one. */
  commit(call: ToolCallContext, planner: Planner): ToolResult | undefined
  /**
   * Executes a call with its text so far. `run` must commit before its first await, otherwise the call has no effect.
   */
  write(call: ToolCallContext, run: () => unknown): void
  /**
   * Executes the complete call and returns its result; `undefined` if the call isn't live, or can't be settled on the
   * streamed content: that content is then reverted, and the call must be executed normally.
   */
  settle(callId: string, run: () => ToolResult | Promise<ToolResult>): Promise<ToolResult | undefined>
  /** Reverts the streamed content of a call that will not be made. */
  revert(callId: string): void
  /** The steps that remove the content of calls that aren't executed yet from `doc`; `undefined` if there is none. */
  without(doc: Node): Transform | undefined
}

type Active = { callId: string; live: LiveCall; stage: 'writing' | 'settling'; isSettled: boolean }

const notYet = success('', '')

export function createLiveCalls(context: CommitContext, selection: () => Selected | undefined): LiveCalls {
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
      if (!live) {
        // Calls are executed in order: this call must not read or find the streamed text of later ones.
        for (const later of [...lives.values()].toReversed()) later.revert()
        lives.clear()
        return undefined
      }
      const settling: Active = { callId, live, stage: 'settling', isSettled: false }
      active = settling
      try {
        const result = await run()
        return settling.isSettled ? result : undefined
      } finally {
        active = undefined
        // After a successful settle there is nothing to revert.
        live.revert()
      }
    },
    revert(callId) {
      lives.get(callId)?.revert()
      lives.delete(callId)
    },
    without(doc) {
      const reverted = new Transform(doc)
      for (const live of [...lives.values()].toReversed()) {
        if (live === active?.live) continue
        for (const step of live.revertIn(reverted.doc)?.steps ?? []) reverted.step(step)
      }
      return reverted.steps.length > 0 ? reverted : undefined
    },
  }
}
