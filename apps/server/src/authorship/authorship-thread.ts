import { answerRequests } from '../threads/thread-worker.ts'
import { type AuthorshipRequest, type AuthorshipResponse, createAuthorshipRequests } from './authorship-requests.ts'

/** Entry of the worker thread that computes authorship from logs. */
answerRequests<AuthorshipRequest, AuthorshipResponse>(createAuthorshipRequests())
