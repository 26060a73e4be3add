import { answerRequests } from '../../threads/thread-worker.ts'
import { parseFiles } from './parse-files.ts'

/** Entry of the worker thread that reads and parses the files of a project. */
answerRequests(parseFiles)
