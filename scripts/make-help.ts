/** `npm run help`: writes the texts of `docs/help` as data for the app. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HELP_FILE, helpPagesSource } from '#scripts/help-pages.ts'
import { projectRoot } from '#scripts/project-root.ts'

await writeFile(join(projectRoot, HELP_FILE), await helpPagesSource(projectRoot))
