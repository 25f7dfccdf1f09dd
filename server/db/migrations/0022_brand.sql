ALTER TABLE `workspaces` ADD `logo_dark_content_id` text REFERENCES content(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `brand` text;