-- Searches until now knew nothing of people, so edits of their videos would go on to show places and
-- cut heads. What they found is forgotten: the next edit of a video, or its moment board, searches
-- again. The pictures and the video of a board stay in their row, which names their files, until the
-- new search replaces them. No search looks for faces in a video of less than ten seconds.
UPDATE "upload_requests" SET "moments" = NULL
WHERE "moments" IS NOT NULL AND strpos("moments"::text, '"heads"') = 0
	AND ("probe"->>'durationMs')::double precision >= 10000;
