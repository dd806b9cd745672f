import fc from 'fast-check'
import { runs, SEED } from '#tests/seeds.ts'

/** The number of tries of fast-check's own default. */
const USUAL_RUNS = 100

fc.configureGlobal({ seed: SEED, numRuns: runs(USUAL_RUNS) })
