CREATE TABLE `alert_rules` (
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`threshold` real,
	`minutes` integer,
	`tell` text,
	PRIMARY KEY(`workspace_id`, `kind`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text,
	`kind` text NOT NULL,
	`ref` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`facts` text DEFAULT '{}' NOT NULL,
	`since` integer NOT NULL,
	`ended_at` integer,
	`told_at` integer,
	`acknowledged_at` integer,
	`acknowledged_by` text,
	`assigned_to` text,
	`muted_until` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`assigned_to`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_open` ON `alerts` (`kind`,`ref`) WHERE "alerts"."ended_at" IS NULL;--> statement-breakpoint
CREATE INDEX `alerts_workspace` ON `alerts` (`workspace_id`,`ended_at`,`since`);--> statement-breakpoint
CREATE TABLE `bin` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`name` text NOT NULL,
	`record` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`user_id` text,
	`user_name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `bin_workspace` ON `bin` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `bin_ref` ON `bin` (`ref`);--> statement-breakpoint
CREATE TABLE `bin_files` (
	`bin_id` text NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`bin_id`, `sha256`),
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sha256`) REFERENCES `blobs`(`sha256`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bin_files_sha` ON `bin_files` (`sha256`);--> statement-breakpoint
CREATE TABLE `playlist_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`playlist_id` text NOT NULL,
	`published_ms` integer NOT NULL,
	`user_id` text,
	`user_name` text NOT NULL,
	`transition` text,
	`items` text NOT NULL,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `playlist_versions_playlist` ON `playlist_versions` (`playlist_id`,`id`);--> statement-breakpoint
CREATE TABLE `saved_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`recipients` text DEFAULT '[]' NOT NULL,
	`sent_month` text,
	`user_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_reports_workspace` ON `saved_reports` (`workspace_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_content_id` text REFERENCES content(id) ON DELETE set null;