import { answerRequests } from '../threads/thread-worker.ts'
import { searchLines } from './search-lines.ts'

/** Entry of the worker thread that searches without ripgrep. */
answerRequests(searchLines)
