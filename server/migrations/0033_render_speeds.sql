CREATE TABLE "render_speeds" (
	"work" text NOT NULL,
	"picture_size" text NOT NULL,
	"ratios" double precision[] NOT NULL,
	"learned_at" timestamp with time zone NOT NULL,
	CONSTRAINT "render_speeds_work_picture_size_pk" PRIMARY KEY("work","picture_size")
);
