CREATE TABLE `planned_sums` (
	`window` integer NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`playlist_id` text DEFAULT '' NOT NULL,
	`plan_id` text DEFAULT '' NOT NULL,
	`plays` integer NOT NULL,
	`ms` integer NOT NULL,
	PRIMARY KEY(`window`, `kind`, `ref`, `playlist_id`, `plan_id`),
	FOREIGN KEY (`window`) REFERENCES `planned_windows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `planned_windows` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program` integer NOT NULL,
	`timezone` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `planned_windows_of` ON `planned_windows` (`program`,`timezone`,`since`,`until`);--> statement-breakpoint
CREATE TABLE `program_archive` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sha256` text NOT NULL,
	`body` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `program_archive_sha256_unique` ON `program_archive` (`sha256`);--> statement-breakpoint
CREATE TABLE `program_spans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`device_id` text NOT NULL,
	`program` integer NOT NULL,
	`timezone` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer
);
--> statement-breakpoint
CREATE INDEX `program_spans_device` ON `program_spans` (`device_id`,`since`);--> statement-breakpoint
CREATE INDEX `program_spans_workspace` ON `program_spans` (`workspace_id`,`since`);--> statement-breakpoint
CREATE INDEX `program_spans_program` ON `program_spans` (`program`);--> statement-breakpoint
ALTER TABLE `playlist_versions` ADD `asked_by_name` text;--> statement-breakpoint
ALTER TABLE `users` ADD `language` text;