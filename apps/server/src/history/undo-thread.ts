import { randomInt } from 'node:crypto'
import { answerRequests } from '../threads/thread-worker.ts'
import { createUndoPlanner, type UndoRequest, type UndoResponse } from './undo-requests.ts'

/** Entry of the worker thread for undo. Replaying a log may take hundreds of milliseconds. */
answerRequests<UndoRequest, UndoResponse>(createUndoPlanner(() => randomInt(2 ** 32)))
