import { namedAgents } from './agents.ts'
import type { EvalCase } from '../eval-case.ts'
import { ambiguous } from './ambiguous.ts'
import { blocks } from './blocks.ts'
import { commentTasks } from './comments.ts'
import { projectFiles } from './files.ts'
import { formatting } from './format.ts'
import { impossible } from './impossible.ts'
import { inPlace } from './in-place.ts'
import { injection } from './injection.ts'
import { insert } from './insert.ts'
import { languages } from './languages.ts'
import { memory } from './memory.ts'
import { long } from './long.ts'
import { mistakes } from './mistakes.ts'
import { numbers } from './numbers.ts'
import { people } from './people.ts'
import { places } from './places.ts'
import { questions } from './questions.ts'
import { replace } from './replace.ts'
import { review } from './review.ts'
import { rewrite } from './rewrite.ts'
import { sections } from './sections.ts'
import { structure } from './structure.ts'
import { suggest } from './suggest.ts'
import { tablesAndCode } from './tables-and-code.ts'
import { typos } from './typos.ts'
import { web } from './web.ts'

/** Every case, group by group. Adding one is an entry in a file of this folder. */
export const cases: readonly EvalCase[] = [
  ...typos,
  ...replace,
  ...insert,
  ...formatting,
  ...sections,
  ...rewrite,
  ...review,
  ...suggest,
  ...questions,
  ...tablesAndCode,
  ...languages,
  ...ambiguous,
  ...impossible,
  ...injection,
  ...numbers,
  ...places,
  ...commentTasks,
  ...memory,
  ...inPlace,
  ...blocks,
  ...mistakes,
  ...people,
  ...structure,
  ...projectFiles,
  ...web,
  ...namedAgents,
  ...long,
]
