CREATE TABLE `chain_cursors` (
	`workspace_id` text NOT NULL,
	`epoch` text NOT NULL,
	`through` integer NOT NULL,
	`head` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `epoch`),
	FOREIGN KEY (`workspace_id`) REFERENCES `chain_links`(`workspace_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `chain_incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`details` text NOT NULL,
	`at` integer NOT NULL,
	`told` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `chain_links`(`workspace_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chain_incidents_workspace` ON `chain_incidents` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `chain_links` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`store` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`headquarters` text NOT NULL,
	`key` text NOT NULL,
	`certificate` text NOT NULL,
	`enrolled_at` integer NOT NULL,
	`enrolled_by` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `chain_segments` (
	`workspace_id` text NOT NULL,
	`epoch` text NOT NULL,
	`last` integer NOT NULL,
	`head` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `epoch`, `last`),
	FOREIGN KEY (`workspace_id`) REFERENCES `chain_links`(`workspace_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `hq_codes` (
	`store` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hq_codes_hash_unique` ON `hq_codes` (`hash`);--> statement-breakpoint
CREATE TABLE `hq_cursors` (
	`store` integer NOT NULL,
	`epoch` text NOT NULL,
	`first` integer NOT NULL,
	`through` integer NOT NULL,
	`head` text NOT NULL,
	PRIMARY KEY(`store`, `epoch`),
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `hq_incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`store` integer NOT NULL,
	`kind` text NOT NULL,
	`details` text NOT NULL,
	`at` integer NOT NULL,
	`seen_at` integer,
	`seen_by` text,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_incidents_store` ON `hq_incidents` (`store`,`seen_at`);--> statement-breakpoint
CREATE TABLE `hq_keys` (
	`store` integer NOT NULL,
	`key` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`store`, `key`),
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `hq_marks` (
	`store` integer NOT NULL,
	`device` text NOT NULL,
	`segment` integer NOT NULL,
	PRIMARY KEY(`store`, `device`, `segment`),
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `hq_overlaps` (
	`store` integer NOT NULL,
	`play` blob NOT NULL,
	PRIMARY KEY(`store`, `play`),
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `hq_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store` integer NOT NULL,
	`epoch` text NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`plays` integer NOT NULL,
	`from_ms` integer NOT NULL,
	`to_ms` integer NOT NULL,
	`fresh` integer NOT NULL,
	`dropped` text,
	`pack` text NOT NULL,
	`offset` integer NOT NULL,
	`bytes` integer NOT NULL,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hq_segments_store` ON `hq_segments` (`store`,`epoch`,`last`);--> statement-breakpoint
CREATE INDEX `hq_segments_pack` ON `hq_segments` (`pack`,`offset`);--> statement-breakpoint
CREATE INDEX `hq_segments_time` ON `hq_segments` (`to_ms`);--> statement-breakpoint
CREATE INDEX `hq_segments_store_time` ON `hq_segments` (`store`,`to_ms`);--> statement-breakpoint
CREATE TABLE `hq_stores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ref` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`region` text DEFAULT '' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`key` text,
	`server_name` text DEFAULT '' NOT NULL,
	`workspace_name` text DEFAULT '' NOT NULL,
	`enrolled_at` integer,
	`left_at` integer,
	`presence` text,
	`heard_at` integer,
	`clock_ms` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hq_stores_ref_unique` ON `hq_stores` (`ref`);--> statement-breakpoint
CREATE UNIQUE INDEX `hq_stores_key` ON `hq_stores` (`key`) WHERE "hq_stores"."key" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `hq_stores_name` ON `hq_stores` (`workspace_id`,`name`);--> statement-breakpoint
CREATE TABLE `hq_subjects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store` integer NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`name` text NOT NULL,
	`named_ms` integer NOT NULL,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hq_subjects_ref` ON `hq_subjects` (`store`,`kind`,`ref`);--> statement-breakpoint
CREATE TABLE `hq_sums` (
	`scope` integer NOT NULL,
	`day` integer NOT NULL,
	`store` integer NOT NULL,
	`device` integer NOT NULL,
	`shown` integer NOT NULL,
	`plays` integer NOT NULL,
	`ms` integer NOT NULL,
	PRIMARY KEY(`scope`, `day`, `store`, `device`, `shown`),
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `play_epochs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`epoch` text NOT NULL,
	`first` integer NOT NULL,
	`through` integer NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `play_epochs_epoch_unique` ON `play_epochs` (`epoch`);--> statement-breakpoint
-- The plays that are there already are the first epoch's.
INSERT INTO `play_epochs` (`epoch`, `first`, `through`, `since`)
  SELECT lower(hex(randomblob(16))), 1,
    max(coalesce((SELECT max(`id`) FROM `play_log`), 0), coalesce((SELECT max(`id`) FROM `old_plays`), 0)), unixepoch();
