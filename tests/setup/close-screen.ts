import { afterEach, beforeAll } from 'vitest'
import { beginStrictly, closeOpenScreen } from '#tests/screens/harness/open-screen.tsx'

// Here and not beside `openScreen`: files share its module, and each file has hooks of its own.
beforeAll(beginStrictly)
afterEach(closeOpenScreen)
