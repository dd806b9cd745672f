/** What is imported after this module is evaluated in a task of its own. */
import { nextTask } from '#src/lib/next-task.ts'

await nextTask()
